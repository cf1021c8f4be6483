"""What the arrows alone say: order, ancestors, Markov blanket and d-separation (sections 11.2 and 11.4).

A graph is a dict from each variable to the tuple of its parents.
"""


def topological_order(parents):
    """Return the variables so that each comes after all its parents; a cycle, which forbids that, is named.

    >>> topological_order({"Alarm": ("Burglary",), "Burglary": ()})
    ['Burglary', 'Alarm']
    """
    unknown = [(child, p) for child, group in parents.items() for p in group if p not in parents]
    if unknown:
        child, parent = unknown[0]
        raise ValueError(f"{child} has the parent {parent!r}, which is no variable of the graph.")
    order = []
    while len(order) < len(parents):
        ready = [v for v in parents if v not in order and all(p in order for p in parents[v])]
        if not ready:
            raise ValueError(f"the arrows close a cycle: {' -> '.join(_cycle(parents, order))}.")
        order += ready
    return order


def children(parents, name):
    """Return the variables that have ``name`` as a parent."""
    return tuple(child for child, group in parents.items() if name in group)


def ancestors(parents, names):
    """Return the set of ``names`` with everything from which arrows lead to one of them.

    ``parents`` is a dict from each variable to its parents.
    """
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += parents[name]
    return found


def descendants(parents, name):
    """Return the set of variables to which arrows lead from ``name``, without itself.

    ``parents`` is a dict from each variable to its parents.
    """
    return {other for other in parents if other != name and name in ancestors(parents, [other])}


def markov_blanket(parents, name):
    """Return parents, children and the children's other parents: given these, the rest says nothing more (11.8).

    ``parents`` is a dict from each variable to its parents; the blanket is that of ``name``.
    """
    family = [*parents[name]]
    for child in children(parents, name):
        family += [child, *parents[child]]
    return tuple(v for v in parents if v in family and v != name)


def d_separated(parents, X, Y, given):
    """Return whether the arrows make the sets X and Y independent given the third, whatever the tables (11.7).

    ``parents`` is a dict from each variable to the tuple of its parents; X, Y and given are collections of names.
    """
    # 1. Keep only the three sets and their ancestors
    kept = ancestors(parents, [*X, *Y, *given])
    # 2. Moralise: join each variable to its parents, and its parents to each other; forget the arrowheads
    neighbours = {name: set() for name in kept}
    for name in kept:
        family = (name, *parents[name])
        for member in family:
            neighbours[member].update(family)
    # 3. Walk from X without entering the third set: separated if no walk reaches Y
    reached, waiting = set(given), list(X)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += neighbours[name]
    return not (reached - set(given)) & set(Y)


def open_path(parents, x, y, given):
    """Return the shortest path from x to y that the variables in ``given`` leave open, a list, or None (11.7).

    A path is open if each junction on it is: chain and fork where the middle is not given, a collider where it or
    one of its descendants is.

    ``parents`` is a dict from each variable to its parents.
    """
    below = {v: {v, *descendants(parents, v)} for v in parents}
    waiting = [[x]]
    while waiting:
        path = waiting.pop(0)
        here = path[-1]
        if here == y:
            return path
        for step in parents:
            if step in path or not (step in parents[here] or here in parents[step]):
                continue
            if len(path) > 1:
                collides = path[-2] in parents[here] and step in parents[here]
                opens = below[here] & set(given) if collides else here not in given
                if not opens:
                    continue
            waiting.append([*path, step])
    return None


def _cycle(parents, order):
    """Walk back from parent to parent, among variables that never became ready, until one comes twice."""
    path = [next(v for v in parents if v not in order)]
    while path[-1] not in path[:-1]:
        path.append(next(p for p in parents[path[-1]] if p not in order))
    return path[path.index(path[-1]) :][::-1]
