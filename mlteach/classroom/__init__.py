"""The course in the hands of a class: a copy for everyone, corrections that keep answers, progress, a lecturer's table.

``mlteach lab``, ``update``, ``progress`` and ``grade`` on the command line (`mlteach.classroom.command`) are all there
is to it. `merge` brings a corrected notebook into a student's, cell by cell; `copies` reads and writes the folder.
"""
