"""What is made from the notebooks for readers with no kernel: the book, a deck of slides a chapter, moving explorers.

``frames`` computes the pictures of an explorer once and ``player.js`` plays them; ``book`` makes a site of all
notebooks; ``slides`` makes a deck of each. The notebooks stay the only source of all three.
"""
