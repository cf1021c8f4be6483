"""Chapter 01: concepts and version spaces, the checkers engine against a plain one, LMS self-play, and the errata."""

import copy
import pickle
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from mlteach.datasets import play_tennis
from mlteach.learning_problems import (
    Checkers,
    Conjunction,
    Features,
    all_conjunctions,
    all_intervals,
    all_subsets,
    attribute_domains,
    board_vector,
    candidate_elimination,
    consistent,
    count_conjunctions,
    enjoy_sport,
    evaluate,
    find_s,
    greedy_player,
    linear_player,
    list_then_eliminate,
    lms_train,
    lms_update,
    play_game,
    predicts,
    random_player,
    stored,
    tournament,
    training_boards,
    version_space,
    votes,
)
from mlteach.validation import ConvergenceWarning

DOMAINS = (("a", "b", "c"), (0, 1), ("x", "y"))
SPACE = tuple(product(*DOMAINS))
PRIMES_X, PRIMES_Y = [1, 3, 5, 6, 7, 10], [False, True, True, False, True, False]  # W1
BIAS_X, BIAS_Y = [4, 5, 7, 10], [True, True, False, False]  # W1b

ALL = all_conjunctions(DOMAINS)
EXTENT = {h: {x for x in SPACE if h(x)} for h in ALL}

conjunctions = st.sampled_from(ALL)
instances = st.sampled_from(SPACE)
labelled = st.lists(st.tuples(instances, st.booleans()), min_size=1, max_size=8)


# --- conjunctions --------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(conjunctions, conjunctions)
def test_the_order_is_inclusion_of_what_is_covered(g, h):
    assert (g >= h) == (EXTENT[g] >= EXTENT[h]) == (h <= g)
    assert (g > h) == (EXTENT[g] > EXTENT[h]) == (h < g)
    assert (g == h) == (EXTENT[g] == EXTENT[h])


@settings(deadline=None, max_examples=60)
@given(conjunctions, instances)
def test_generalise_is_the_least_conjunction_above_both(h, x):
    found = h.generalise(x)
    assert EXTENT[found] >= EXTENT[h] | {x}
    above = [g for g in ALL if EXTENT[g] >= EXTENT[h] | {x}]
    assert all(g >= found for g in above)


@settings(deadline=None, max_examples=60)
@given(conjunctions, instances)
def test_specialise_gives_exactly_the_maximal_conjunctions_below_that_exclude(h, x):
    below = [g for g in ALL if g <= h and not g(x)]
    maximal = {g for g in below if not any(other > g for other in below)}
    found = h.specialise(x, DOMAINS)
    assert set(found) == maximal
    assert len(found) == len(maximal)


def test_one_empty_attribute_makes_the_whole_conjunction_empty():
    assert Conjunction(["Sunny", "∅", "?"]) == Conjunction.most_specific(3)
    assert repr(Conjunction(["Sunny", "∅"])) == "<∅, ∅>"
    assert not EXTENT[Conjunction.most_specific(3)]
    assert EXTENT[Conjunction.most_general(3)] == set(SPACE)


def test_conjunctions_are_values():
    h = Conjunction(np.array(["Sunny", "?"]))
    assert h == Conjunction(("Sunny", "?"))
    assert hash(h) == hash(Conjunction(["Sunny", "?"]))
    assert type(h.values[0]) is str
    with pytest.raises(AttributeError):
        h.values = ("Rainy", "?")


def test_enjoy_sport_has_973_hypotheses_written_in_5120_ways():
    domains = enjoy_sport().domains
    written = [Conjunction(values) for values in product(*((*values, "?", "∅") for values in domains))]
    assert len(written) == 5120
    assert len(set(written)) == 973
    assert len(all_conjunctions(domains)) == len(set(all_conjunctions(domains))) == 973
    assert set(all_conjunctions(domains)) == set(written)
    assert count_conjunctions(domains) == (96, 5120, 973, 2**96)


# --- Find-S and Candidate-Elimination ------------------------------------------------------------------------


def as_text(hypotheses):
    return [" ".join(map(str, h.values)) for h in hypotheses]


def test_a_huge_space_is_counted_without_its_concepts():
    counted = count_conjunctions([list(range(50))] * 20)
    assert counted.instances == 50**20
    assert counted.distinct == 1 + 51**20
    assert counted.concepts is None


def test_enjoy_sport_boundaries_after_each_example():
    data = enjoy_sport()
    found = candidate_elimination(data.X, data.y, data.domains)
    S, G = [as_text(b.S) for b in found.history], [as_text(b.G) for b in found.history]
    assert S == [
        ["∅ ∅ ∅ ∅ ∅ ∅"],
        ["Sunny Warm Normal Strong Warm Same"],
        ["Sunny Warm ? Strong Warm Same"],
        ["Sunny Warm ? Strong Warm Same"],
        ["Sunny Warm ? Strong ? ?"],
    ]
    assert G == [
        ["? ? ? ? ? ?"],
        ["? ? ? ? ? ?"],
        ["? ? ? ? ? ?"],
        ["Sunny ? ? ? ? ?", "? Warm ? ? ? ?", "? ? ? ? ? Same"],
        ["Sunny ? ? ? ? ?", "? Warm ? ? ? ?"],
    ]
    assert found.collapsed is None
    assert set(as_text(found.members())) == {
        "Sunny Warm ? Strong ? ?",
        "Sunny ? ? Strong ? ?",
        "Sunny Warm ? ? ? ?",
        "? Warm ? Strong ? ?",
        "Sunny ? ? ? ? ?",
        "? Warm ? ? ? ?",
    }


def test_enjoy_sport_new_days_are_decided_or_not():
    """Mitchell's four new days: all agree yes, all agree no, three of six say yes, two of six say yes."""
    data = enjoy_sport()
    found = candidate_elimination(data.X, data.y, data.domains)
    days = [
        ("Sunny", "Warm", "Normal", "Strong", "Cool", "Change"),
        ("Rainy", "Cold", "Normal", "Weak", "Warm", "Same"),
        ("Sunny", "Warm", "Normal", "Weak", "Warm", "Same"),
        ("Sunny", "Cold", "Normal", "Strong", "Warm", "Same"),
    ]
    assert [found.decide(x) for x in days] == [True, False, None, None]
    assert [votes(found.members(), x) for x in days] == [1, 0, 1 / 2, 1 / 3]


def test_find_s_on_enjoy_sport():
    data = enjoy_sport()
    found = find_s(data.X, data.y)
    assert as_text([found.h]) == ["Sunny Warm ? Strong ? ?"]
    assert found.covered_negatives == ()
    boundaries = candidate_elimination(data.X, data.y, data.domains).history
    assert [(h,) for h in found.history] == [b.S for b in boundaries]


@settings(deadline=None, max_examples=40)
@given(labelled)
def test_candidate_elimination_bounds_exactly_the_listed_version_space(examples):
    X, y = zip(*examples)
    trace = list_then_eliminate(ALL, X, y)
    found = candidate_elimination(X, y, DOMAINS)
    for (S, G), VS in zip(found.history, trace.history, strict=True):
        assert set(S) == {h for h in VS if not any(h > other for other in VS)}
        assert set(G) == {h for h in VS if not any(other > h for other in VS)}
    assert set(found.members()) == set(trace.survivors) == set(version_space(ALL, X, y))
    assert found.collapsed == (trace.counts.index(0) if 0 in trace.counts else None)
    if trace.survivors:
        for x in SPACE:
            assert found.decide(x) == {0: False, 1: True}.get(votes(trace.survivors, x))


@settings(deadline=None, max_examples=60)
@given(labelled)
def test_find_s_is_consistent_whenever_some_conjunction_is(examples):
    X, y = zip(*examples)
    found = find_s(X, y)
    assert consistent(found.h, X, y) == (found.covered_negatives == ())
    assert bool(version_space(ALL, X, y)) == consistent(found.h, X, y)


def test_noise_collapses_both_boundaries_and_says_when():
    data = enjoy_sport()
    X, y = (*data.X[:3], data.X[0], data.X[3]), (True, True, False, False, True)  # the fourth contradicts the first
    found = candidate_elimination(X, y, data.domains)
    assert found.collapsed == 4
    assert found.S == found.G == ()
    assert found.history[3].S
    assert found.members() == ()
    assert find_s(X, y).covered_negatives == (3,)
    with pytest.raises(ValueError, match="empty since example 4"):
        found.decide(X[0])


def test_play_tennis_is_no_conjunction():
    data = play_tennis()
    found = candidate_elimination(data.X, data.y, attribute_domains(data.X), positive="Yes")
    trace = list_then_eliminate(all_conjunctions(attribute_domains(data.X)), data.X, data.y, positive="Yes")
    assert found.collapsed == trace.counts.index(0)
    assert trace.survivors == ()
    assert as_text([find_s(data.X, data.y, positive="Yes").h]) == ["? ? ? ?"]


# --- version spaces by enumeration ---------------------------------------------------------------------------


def test_primes_without_bias():
    """W1: half of the subsets go with each example, and the rest cannot decide anything new."""
    trace = list_then_eliminate(all_subsets(range(1, 11)), PRIMES_X, PRIMES_Y)
    assert trace.counts == (1024, 512, 256, 128, 64, 32, 16)
    assert tuple(map(len, trace.history)) == trace.counts
    assert frozenset({2, 3, 5, 7}) in trace.survivors
    assert [votes(trace.survivors, x) for x in (2, 4, 8, 9)] == [0.5] * 4
    assert [votes(trace.survivors, x) for x in PRIMES_X] == PRIMES_Y


def test_intervals_decide_what_subsets_cannot():
    """W1b: 56 intervals leave 8, of one mind about 8 and 9; 1024 subsets leave 64, of two minds about everything."""
    H = all_intervals(range(1, 11))
    assert len(set(H)) == 56
    VS = version_space(H, BIAS_X, BIAS_Y)
    assert len(VS) == 8
    assert [8 * votes(VS, x) for x in (1, 2, 3, 6, 8, 9)] == [2, 4, 6, 4, 0, 0]
    free = version_space(all_subsets(range(1, 11)), BIAS_X, BIAS_Y)
    assert len(free) == 64
    assert {votes(free, x) for x in (1, 2, 3, 6, 8, 9)} == {0.5}


def test_hypotheses_of_any_kind_are_treated_alike():
    evens = {2, 4, 6}
    H = [evens, frozenset(evens), lambda x: x % 2 == 0, range(2, 7, 2), [2, 4, 6]]
    for h in H:
        assert [predicts(h, x) for x in (2, 3, 4)] == [True, False, True]
    assert version_space(H, [2, 3], [1, 0]) == tuple(H)
    assert version_space(H, np.array([2, 3]), np.array([True, True])) == ()
    assert votes([evens, {3}, {3, 5}, set()], 3) == 0.5


@settings(deadline=None, max_examples=50)
@given(st.sets(st.integers(0, 6)), st.lists(st.integers(0, 6), min_size=1))
def test_the_true_concept_survives_clean_examples(concept, X):
    trace = list_then_eliminate(all_subsets(range(7)), X, [x in concept for x in X])
    assert frozenset(concept) in trace.survivors
    assert trace.counts[-1] == 2 ** (7 - len(set(X)))


def test_contradictory_labels_leave_nothing():
    trace = list_then_eliminate(all_subsets(range(5)), [1, 2, 1], [True, True, False])
    assert trace.counts == (32, 16, 8, 0)
    with pytest.raises(ValueError, match="nobody to vote"):
        votes(trace.survivors, 1)


# --- the checkers engine -------------------------------------------------------------------------------------


def plain_moves(board, size, turn):
    """Legal moves from a dict (row, column) -> letter, by the rules as written; set of (path, captured squares)."""
    forward = {"b": 1, "r": -1}

    def directions(piece):
        rows = (1, -1) if piece.isupper() else (forward[piece],)
        return [(dr, dc) for dr in rows for dc in (1, -1)]

    def on_board(r, c):
        return 0 <= r < size and 0 <= c < size

    def captures(piece, path, taken):
        r, c = path[-1]
        found = []
        if piece.isupper() or len(path) == 1 or r != (size - 1 if piece == "b" else 0):
            for dr, dc in directions(piece):
                over, to = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
                free = on_board(*to) and (to not in board or to == path[0])
                if free and over not in taken and board.get(over, turn).lower() != turn:
                    found += captures(piece, (*path, to), taken | {over})
        return found or ([(path, frozenset(taken))] if taken else [])

    mine = [(at, piece) for at, piece in board.items() if piece.lower() == turn]
    jumps = [move for at, piece in mine for move in captures(piece, (at,), frozenset())]
    if jumps:
        return set(jumps)
    steps = [((at, (at[0] + dr, at[1] + dc)), frozenset()) for at, piece in mine for dr, dc in directions(piece)]
    return {(path, taken) for path, taken in steps if on_board(*path[1]) and path[1] not in board}


def as_board(position):
    rows = str(position).splitlines()[:-1]
    return {(r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row.split()) if letter != "."}


def where(square, size):
    r, c = divmod(square - 1, size // 2)
    return r, 2 * c + 1 - r % 2


@pytest.mark.parametrize(("size", "games"), [(4, 20), (6, 15), (8, 10), (10, 2)])
def test_moves_features_and_boards_agree_with_a_plain_engine(size, games):
    rng = np.random.default_rng(size)
    longest = 0
    for _ in range(games):
        position = Checkers(size=size)
        while moves := position.legal_moves():
            board, turn = as_board(position), position.turn[0]
            found = {
                (tuple(where(s, size) for s in move.path), len(move.path) - 1 if move.taken else 0) for move in moves
            }
            wanted = plain_moves(board, size, turn)
            assert found == {(path, len(taken)) for path, taken in wanted}
            assert len(moves) == len(wanted)
            longest = max(longest, *(n for _, n in found))
            threats = [frozenset().union(*(taken for _, taken in plain_moves(board, size, side))) for side in "rb"]
            letters = "".join(board.values())
            assert position.features() == (
                letters.lower().count("b"),
                letters.lower().count("r"),
                letters.count("B"),
                letters.count("R"),
                len(threats[0]),
                len(threats[1]),
            )
            # play one move on both boards
            move = moves[rng.integers(len(moves))]
            path = tuple(where(s, size) for s in move.path)
            taken = next(t for p, t in wanted if p == path and len(t) == move.taken.bit_count())
            piece = board.pop(path[0])
            board = {at: letter for at, letter in board.items() if at not in taken}
            far = path[-1][0] == (size - 1 if turn == "b" else 0)
            board[path[-1]] = piece.upper() if far else piece
            position = position.play(move)
            assert as_board(position) == board
        if position.winner() != "draw":
            assert plain_moves(as_board(position), size, position.turn[0]) == set()
            assert position.winner() == {"b": "red", "r": "black"}[position.turn[0]]
    assert longest >= (1 if size == 4 else 2)


def test_perft_of_english_draughts():
    assert [Checkers().perft(depth) for depth in range(7)] == [1, 7, 49, 302, 1469, 7361, 36768]


def test_perft_says_nothing_about_kings_and_second_jumps():
    positions = [Checkers()]
    for depth in range(1, 7):
        moves = [(position, move) for position in positions for move in position.legal_moves()]
        assert depth == 6 or all(len(move.path) == 2 for _, move in moves)
        positions = [position.play(move) for position, move in moves]
        assert all(position.kings == 0 for position in positions)


def moves_of(text, turn="black"):
    return sorted(map(str, Checkers.from_text(text, turn).legal_moves()))


def test_captures_are_obligatory_and_go_on():
    text = """
    . b . . . .
    . . r . . .
    . . . . . .
    . . r . . .
    . . . . . b
    . . . . . ."""
    assert moves_of(text) == ["1x8x13"]
    after = Checkers.from_text(text).play("1x8x13")
    assert after.winner() == "black"
    assert after.features() == (2, 0, 0, 0, 0, 0)


def test_crowning_ends_the_move():
    text = """
    . . . . . .
    . . . . . .
    . . . . . .
    b . . . . .
    . r . r . .
    . . . . . ."""
    assert moves_of(text) == ["10x17"]  # as a king it could jump on over the second red man
    after = Checkers.from_text(text).play("10x17")
    assert str(after).splitlines()[5] == ". . B . . ."
    assert after.features() == (1, 1, 1, 0, 0, 1)


def test_men_do_not_capture_backwards_and_kings_do():
    board = """
    . . . . . .
    . . . . . .
    . . . r . .
    . . {} . . .
    . . . . . .
    . . . . . ."""
    assert moves_of(board.format("b")) == ["11-13", "11-14"]
    assert moves_of(board.format("B")) == ["11x6"]


def test_a_king_may_jump_in_a_circle():
    text = """
    . . . . . .
    . . B . . .
    . r . r . .
    . . . . . .
    . r . r . .
    . . . . . ."""
    assert moves_of(text) == ["5x10x17x12x5", "5x12x17x10x5"]
    after = Checkers.from_text(text).play("5x12x17x10x5")
    assert after.features() == (1, 0, 1, 0, 0, 0)
    assert str(after).splitlines()[1] == ". . B . . ."


def test_threats_count_every_piece_that_a_capture_could_take():
    text = """
    . b . . . .
    . . r . . .
    . . . . . .
    . . r . r .
    . . . . . .
    . . . . . ."""
    position = Checkers.from_text(text, turn="red")
    assert position.features() == (1, 3, 0, 0, 0, 3)  # two captures, 1x8x13 and 1x8x15, whoever's turn it is
    assert position.features().swapped() == Features(3, 1, 0, 0, 3, 0)


def test_who_cannot_move_has_lost():
    text = """
    . . . .
    b . . .
    . r . .
    . . r ."""
    stuck = Checkers.from_text(text)
    assert (stuck.legal_moves(), stuck.winner()) == ([], "red")
    assert Checkers.from_text(text, turn="red").winner() is None


def test_draw_after_quiet_king_moves():
    text = ". B . .  . . . .  . . . .  r . R ."
    position = Checkers.from_text(text, draw_after=3)
    position = position.play("1-3").play("8-6")
    assert (position.quiet, position.winner()) == (2, None)
    final = position.play("3-1")
    assert (final.winner(), final.legal_moves()) == ("draw", [])
    assert Checkers.from_text(text).play("1-3").play("7-5").quiet == 0  # a move of a man counts anew


def test_positions_are_values():
    position = Checkers(size=6).play("5-8")
    for twin in (copy.deepcopy(position), pickle.loads(pickle.dumps(position)), Checkers(size=6).play("5-8")):
        assert twin == position
        assert hash(twin) == hash(position)
        assert isinstance(twin, Checkers)
    with pytest.raises(AttributeError):
        position.turn = "black"
    assert position.turn == "red"
    assert Checkers.from_text(str(position)) == position
    assert Checkers.from_text(str(position), turn="black").turn == "black"


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([4, 6, 8]))
def test_games_end_and_records_fit_together(seed, size):
    game = play_game(random_player(seed), random_player(seed + 1), Checkers(size=size))
    assert len(game.positions) == len(game.moves) + 1
    for before, move, after in zip(game.positions, game.moves, game.positions[1:]):
        assert before.winner() is None
        assert before.play(str(move)) == before.play(move) == after
    assert game.positions[-1].winner() == game.winner


# --- players and learning ------------------------------------------------------------------------------------


def test_linear_player_takes_the_best_board_one_and_two_half_moves_ahead():
    rng, w = np.random.default_rng(3), np.array([1.0, 20, -21, 9, -10, -17, 3])
    position = Checkers(size=6)
    for _ in range(30):
        if position.winner():
            break
        me = position.turn
        after = {move: position.play(move) for move in position.legal_moves()}

        def worth(board, me=me):
            won = board.winner()
            return evaluate(w, board, me) if won is None else {"draw": 0, me: np.inf}.get(won, -np.inf)

        def answered(board):
            return worth(board) if board.winner() else min(worth(board.play(m)) for m in board.legal_moves())

        for depth, value in ((1, worth), (2, answered)):
            chosen = linear_player(w, depth=depth)(position)
            assert_allclose(value(after[chosen]), max(map(value, after.values())), rtol=1e-12)
        position = after[list(after)[rng.integers(len(after))]]


def test_greedy_player_takes_a_king_and_with_depth_two_keeps_its_men():
    crown = Checkers.from_text(". b . . . .  . . . . . .  . . . . . .  . . . . . .  . b . . . .  . . . . r .")
    for seed in range(5):
        assert greedy_player(seed)(crown).path[0] == 13
    risk = Checkers.from_text(". . . . . .  b . . . . .  . . . . . .  . . r . . .  . . . . . .  . . . . r .")
    assert {str(greedy_player(seed, depth=2)(risk)) for seed in range(10)} == {"4-7"}


def test_both_colours_see_the_same_board_turned_round():
    position = play_game(random_player(5), random_player(6)).positions[30]
    turned = str(position).splitlines()[:-1]
    turned = "\n".join(row[::-1] for row in turned[::-1]).translate(str.maketrans("brBR", "rbRB"))
    mirrored = Checkers.from_text(turned)
    assert_array_equal(board_vector(position, "red"), board_vector(mirrored, "black"))
    assert len(set(board_vector(position)[1:])) > 1


def test_lms_update_descends_the_squared_error():
    rng = np.random.default_rng(0)
    w, x, v = rng.normal(size=7), rng.uniform(size=7), 40.0
    loss = [[0.5 * (v - (w + sign * 1e-5 * e) @ x) ** 2 for sign in (1, -1)] for e in np.eye(7)]
    gradient = np.array([(plus - minus) / 2e-5 for plus, minus in loss])
    assert_allclose(lms_update(w, x, v, 0.3), w - 0.3 * gradient, rtol=1e-6)


@pytest.mark.parametrize("boards", ["after", "before"])
def test_one_game_of_training_by_hand(boards):
    start, w = Checkers(size=6), [1.0, 9, -8, 4, -5, -6, 2]
    rng = np.random.default_rng(7)
    player = linear_player(w, rng, epsilon=0.2)
    game = play_game(player, player, start)
    trained = lms_train(1, 0.05, 7, start=start, epsilon=0.2, boards=boards, w=w)
    end = {"black": 100, "red": -100, "draw": 0}[game.winner]
    by_hand, errors = list(w), []
    for sign, colour in ((1, "black"), (-1, "red")):
        rows = []
        for n, position in enumerate(game.positions[:-1]):
            if position.turn == colour:
                bp, rp, bk, rk, bt, rt = game.positions[n + 1 if boards == "after" else n].features()
                own = (bp, rp, bk, rk, bt, rt) if sign == 1 else (rp, bp, rk, bk, rt, bt)
                rows.append([1.0] + [count / 6 for count in own])
        for n, x in enumerate(rows):
            value = sum(a * b for a, b in zip(by_hand, x))
            last = n + 1 == len(rows)
            target = sign * end if last else sum(a * b for a, b in zip(by_hand, rows[n + 1]))
            errors.append(target - value)
            by_hand = [a + 0.05 * (target - value) * b for a, b in zip(by_hand, x)]
        assert_allclose(training_boards(game, colour, boards)[0], rows)
    assert_allclose(trained.w, by_hand, rtol=1e-12)
    step = trained.history[1]
    assert (step.winner, step.n_moves) == (game.winner, len(game.moves))
    assert_allclose(step.error, np.sqrt(np.mean(np.square(errors))))


def test_self_play_learns_to_beat_chance_and_greed():
    start = Checkers(size=6)
    for seed in (0, 1):
        learned = lms_train(40, 0.1, seed, start=start)
        player = linear_player(learned.w, seed)
        assert tournament(player, random_player(seed), 40, seed, start=start).rate > 0.85
        assert tournament(player, greedy_player(seed), 40, seed, start=start).rate > 0.85
        # own pieces and kings are good, the other side's bad, and a threatened piece is a loss
        assert learned.w[1] > 0 > learned.w[2]
        assert learned.w[3] > 0 > learned.w[4]
        assert learned.w[5] < -10
    beginner = linear_player(np.zeros(7), 0)
    assert tournament(beginner, random_player(0), 60, 0, start=start).rate < 0.7


def test_what_is_learned_depends_on_the_boards_learned_from():
    """On a side's own turn the pieces it can take are good news; after its move its own threatened pieces are bad."""
    after = lms_train(40, 0.1, 1, start=Checkers(size=6), boards="after").w
    before = lms_train(40, 0.1, 1, start=Checkers(size=6), boards="before").w
    assert after[5] < -10
    assert before[6] > 30
    assert before[5] > after[5] + 20


def test_training_is_reproducible_and_history_is_complete():
    start = Checkers(size=6)
    one, two = (lms_train(6, 0.1, 3, start=start) for _ in range(2))
    assert len(one.history) == 7
    assert_array_equal(one.history[0].w, np.zeros(7))
    assert one.history[0].winner is None
    for a, b in zip(one.history, two.history):
        assert_array_equal(a.w, b.w)
    assert_array_equal(one.w, one.history[-1].w)
    longer = lms_train(8, 0.1, 3, start=start)
    assert_array_equal(longer.history[6].w, one.w)


def test_too_large_a_rate_is_reported():
    with pytest.warns(ConvergenceWarning, match="diverged in game"):
        found = lms_train(30, 3.0, 0, start=Checkers(size=6))
    assert np.isfinite(found.w).all()
    assert len(found.history) < 31
    with pytest.warns(ConvergenceWarning, match="diverged in game 1"):  # and no overflow in a long game
        assert len(lms_train(3, 1e30, 0).history) == 1


def test_tournament_alternates_colours_and_counts_all_games():
    seen = []

    def witness(position):
        seen.append(position.turn)
        return random_player(len(seen))(position)

    score = tournament(witness, random_player(2), 6, 1, start=Checkers(size=4), opening=0)
    assert set(seen) == {"black", "red"}
    assert sum(score) == 6
    assert score.rate == (score.wins + score.draws / 2) / 6
    assert seen[0] == "black"


# --- bad input -----------------------------------------------------------------------------------------------

ROWS, YES = [["a", 0, "x"], ["b", 1, "y"]], [True, False]
AB01XY = [["a", "b"], [0, 1], ["x", "y"]]
OVER = Checkers.from_text(". b . .  . . . .  . . . .  . . . .", turn="red")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Conjunction("Sunny"), "one entry per attribute"),
        (lambda: Conjunction([]), "one entry per attribute"),
        (lambda: Conjunction([["a"], "b"]), "hashable"),
        (lambda: Conjunction(["a", "?"])(["a"]), "has 2 attributes"),
        (lambda: Conjunction(["a", "?"]) >= Conjunction(["a"]), "has 2 attributes"),
        (lambda: Conjunction(["a", "?"]) >= 3, "not supported"),
        (lambda: Conjunction(["a", "?"]) < 3, "not supported"),
        (lambda: Conjunction.most_general(0), "n must be at least 1"),
        (lambda: Conjunction(["?", "?"]).specialise(["a", 0], [["a", "b"]]), "2 attributes, 1 domains"),
        (lambda: all_conjunctions([["a", "b"], ["c"]]), r"domains\[1\] must list at least two"),
        (lambda: all_conjunctions([["a", "?"]]), "meaning of their own"),
        (lambda: all_conjunctions([list(range(9))] * 6), "1000001 conjunctions"),
        (lambda: find_s([], []), "X is empty"),
        (lambda: find_s(ROWS, [True]), "2 instances, but y has 1"),
        (lambda: find_s(ROWS, ["Yes", "No"]), "positive='Yes'"),
        (lambda: find_s([["a"], ["b"], ["c"]], ["Yes", "No", "Maybe"], positive="Yes"), "two labels"),
        (lambda: find_s(["a", "b"], YES), r"X\[0\] is 'a'"),
        (lambda: find_s([["a"], ["b", 1]], YES), r"X\[1\] has 2"),
        (lambda: find_s("ab", YES), "sequence of instances"),
        (lambda: find_s([["?", "a"], ["b", "a"]], YES), "meaning of their own"),
        (lambda: find_s([["b", "a"], ["∅", "a"]], YES), "meaning of their own"),
        (lambda: candidate_elimination(ROWS, YES, [["a", "c"], [0, 1], ["x", "y"]]), r"X\[1\] has 'b' in attribute 0"),
        (lambda: candidate_elimination(ROWS, YES, [["a", "b"], [0, 1]]), "3 attributes, 2 domains"),
        (lambda: candidate_elimination(ROWS, YES, AB01XY).decide(["z", 0, "x"]), "x has 'z' in attribute 0"),
        (lambda: candidate_elimination(ROWS, YES, AB01XY).decide(["a"]), "each of 3 attributes"),
        (lambda: Conjunction(["a", "b"]).generalise(["?", "b"]), "meaning of their own"),
        (lambda: find_s(ROWS, ["Yes", "Yes"], positive="yes"), "label of no example"),
        (lambda: list_then_eliminate([{1}], [1, 2], ["Yes", "Yes"], positive="yes"), "label of no example"),
        (lambda: find_s([[np.nan, "a"], [np.nan, "a"]], YES), "must not hold nan"),
        (lambda: all_conjunctions([list(range(9))] * 30), "200000 is the most"),
        (lambda: version_space([], [1], [True]), "hypotheses is empty"),
        (lambda: version_space({1, 2}, [1], [True]), "a hypothesis must be"),
        (lambda: version_space(lambda x: True, [1], [True]), "collection of hypotheses"),
        (lambda: list_then_eliminate([{1}], [1, 2], [1, -1]), "True and False"),
        (lambda: all_subsets(range(17)), "at most 16"),
        (lambda: all_subsets([1, 1]), "occurs twice"),
        (lambda: predicts("abc", "a"), "a hypothesis must be"),
        (lambda: Checkers(size=7), "size must be one of 4, 6, 8, 10"),
        (lambda: Checkers(size=8.0), "size must be a whole number"),
        (lambda: Checkers(draw_after=0), "draw_after must be at least 1"),
        (lambda: Checkers().play("1-5"), "not a legal move of black; legal moves: 9-13"),
        (lambda: Checkers.from_text("b"), "got 1 characters"),
        (lambda: Checkers.from_text(3), "must be a string"),
        (lambda: Checkers.from_text("b . . .  . . . .  . . . .  . . . ."), "light square"),
        (lambda: Checkers.from_text(". . . .  . . . .  . . . .  b . . ."), "man on its last row"),
        (lambda: Checkers.from_text("." * 16, turn="white"), "turn must be one of"),
        (lambda: Checkers.from_text(". b . b  b . b .  . . . .  . . . ."), "more than 2 pieces"),
        (lambda: Checkers().perft(-1), "depth must be at least 0"),
        (lambda: board_vector("start"), "must be a Checkers position"),
        (lambda: board_vector(Checkers(), "white"), "colour must be one of"),
        (lambda: linear_player([1, 2]), "7 weights w0 to w6; got 2"),
        (lambda: linear_player([np.nan] * 7), "finite"),
        (lambda: linear_player([0] * 7, epsilon=2), "epsilon must be"),
        (lambda: random_player(-1), "rng must be"),
        (lambda: random_player()(OVER), "the game is over"),
        (lambda: linear_player([0] * 7)(OVER), "the game is over"),
        (lambda: play_game("me", random_player()), "black must be a player"),
        (lambda: play_game(lambda p: "1-2", random_player()), "1-2 is not a legal move"),
        (lambda: tournament(random_player(), random_player(), 0), "games must be at least 1"),
        (lambda: lms_train(games=0), "games must be at least 1"),
        (lambda: lms_train(learning_rate=0), "learning_rate must be greater than 0"),
        (lambda: lms_train(boards="between"), "boards must be one of"),
        (lambda: lms_train(start=6), "start must be a Checkers position"),
        (lambda: lms_update([1, 2], [1, 2, 3], 0, 0.1), "one entry per row of w: 2 rows, but x has 3"),
        (lambda: lms_update([1, 2], [1, 2], 0, -0.1), "learning_rate must be greater than 0"),
        (lambda: lms_update([1e200], [1e200], 0, 1), "too large"),
        (lambda: lms_train(w=[1e7] * 7), "w must start with"),
        (lambda: training_boards("game", "black"), "game must be a Game"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_inputs_are_not_modified():
    X, y, w = np.array([["a", "x"], ["b", "x"]], dtype=object), np.array([True, False]), np.ones(7)
    before = X.copy(), y.copy(), w.copy()
    find_s(X, y)
    candidate_elimination(X, y, [["a", "b"], ["x", "y"]])
    lms_train(1, 0.1, w=w, start=Checkers(size=4))
    for now, then in zip((X, y, w), before):
        assert_array_equal(now, then)


def test_an_lms_step_is_a_step_of_sgd_regressor():
    """The translation in the chapter's card: the same learning rate, the 1 being part of x, no penalty."""
    from sklearn.linear_model import SGDRegressor

    rng = np.random.default_rng(2)
    X, v, eta = np.column_stack([np.ones(30), rng.uniform(size=(30, 6))]), rng.normal(0, 50, 30), 0.1
    model = SGDRegressor(penalty=None, learning_rate="constant", eta0=eta, fit_intercept=False)
    w = np.zeros(7)
    for x, v_train in zip(X, v):
        w = lms_update(w, x, v_train, eta)
        model.partial_fit([x], [v_train])
        assert_allclose(model.coef_, w)


# --- errata of the sources: the printed form fails, the right one holds --------------------------------------


def fifty_boards():
    """Features of boards from random play, and targets from known weights."""
    positions = [p for seed in range(5) for p in play_game(random_player(seed), random_player(seed + 9)).positions]
    X = np.array([board_vector(p) for p in positions[::6]])
    return X, np.array([4.0, 30, -28, 12, -9, -20, 7])


def test_erratum_s0_e2():
    """Weights that maximise V do not exist: ten times the weights give ten times the value; fitting has a solution."""
    X, w = fifty_boards()
    V = X @ w
    assert_allclose(np.mean(X @ (10 * w)), 10 * V.mean())
    assert abs(V.mean()) > 1
    assert_allclose(np.linalg.lstsq(X, V)[0], w, rtol=1e-9)
    without_w0 = np.linalg.lstsq(X[:, 1:], V)[0]
    assert np.abs(X[:, 1:] @ without_w0 - V).max() > 0.01  # w0 is a weight too


def test_erratum_s0_e3():
    """The learned function equals the target where the target is in H and data are clean and enough."""
    X, w = fifty_boards()
    learned = np.linalg.lstsq(X, X @ w)[0]
    new = np.array([board_vector(p) for p in play_game(random_player(77), random_player(78)).positions])
    assert_allclose(new @ learned, new @ w, rtol=1e-9)


def test_erratum_s0_e4():
    """More data help; few data in a large space are the usual case, not a condition for success."""
    rng, true = np.random.default_rng(0), 0.37

    def mean_error(n):
        x = np.sort(rng.uniform(size=(400, n)), axis=1)
        below = np.where(x < true, x, 0).max(axis=1)
        above = np.where(x >= true, x, 1).min(axis=1)
        return np.abs((below + above) / 2 - true).mean()

    errors = [mean_error(n) for n in (5, 50, 500)]
    assert errors[0] > 5 * errors[1] > 25 * errors[2]


def test_erratum_s0_e5():
    """With noise the best hypothesis is not in the version space, which is empty."""
    X, y = range(6), [0, 0, 1, 0, 1, 1]
    thresholds = [frozenset(range(t, 6)) for t in range(7)]
    assert version_space(thresholds, X, y) == ()
    assert max(np.mean([predicts(h, x) == label for x, label in zip(X, y)]) for h in thresholds) == 5 / 6


def test_erratum_s0_e6():
    """A space that lacks some subsets need not dispute any unseen instance."""
    H = all_intervals(range(1, 11))
    assert len(H) < 2**10
    VS = version_space(H, [3, 4, 5, 6, 1, 10], [0, 1, 1, 0, 0, 0])
    assert VS == (frozenset({4, 5}),)
    assert {votes(VS, x) for x in (2, 7, 8, 9)} == {0}


def test_erratum_s0_e7():
    """Without bias predictions on unseen instances are coin flips: wrong half the time, not always."""
    VS = version_space(all_subsets(range(1, 11)), PRIMES_X, PRIMES_Y)
    truth = {2: True, 4: False, 8: False, 9: False}
    errors = [np.mean([predicts(h, x) != label for x, label in truth.items()]) for h in VS]
    assert np.mean(errors) == 0.5
    assert min(errors) == 0


def test_erratum_s1_e9():
    """Lines through class numbers depend on the numbering, and lines through indicators mask the middle class."""
    x, label = np.repeat([-1.0, 0.0, 1.0], 4) + np.tile([-0.15, -0.05, 0.05, 0.15], 3), np.repeat([0, 1, 2], 4)
    Phi = np.column_stack([np.ones_like(x), x])
    for numbering, right in (([0, 1, 2], 12), ([0, 2, 1], 4)):
        t = np.repeat(numbering, 4)
        assert np.sum(np.rint(Phi @ np.linalg.lstsq(Phi, t)[0]) == t) == right
    scores = Phi @ np.linalg.lstsq(Phi, np.eye(3)[label])[0]
    predicted = scores.argmax(axis=1)
    assert 1 not in predicted
    assert_allclose(np.mean(predicted == label), 2 / 3)


def test_erratum_s4_f1():
    """The sum of squared errors has another minimiser than that of absolute ones, and LMS goes to the former."""
    targets = np.array([0.0, 0.0, 9.0])
    grid = np.linspace(-1, 10, 1101)
    absolute = np.abs(targets - grid[:, None]).sum(axis=1)
    squared = ((targets - grid[:, None]) ** 2).sum(axis=1)
    assert_allclose(grid[absolute.argmin()], 0, atol=1e-9)
    assert_allclose(grid[squared.argmin()], 3)
    w = np.zeros(1)
    for n in range(3000):
        w = lms_update(w, [1.0], targets[n % 3], learning_rate=1 / (n + 1))
    assert_allclose(w, 3, atol=1e-9)


def test_erratum_s3_e3_01():
    """Q* is a table of values, and no policy; the policy reads off the larger value in each state."""
    reward = np.array([[1.0, 0.0], [0.0, 2.0]])  # state 0: stay, move; state 1: back, stay
    to = np.array([[0, 1], [0, 1]])
    Q = np.zeros((2, 2))
    for _ in range(500):
        Q = reward + 0.9 * Q.max(axis=1)[to]
    assert_allclose(Q[0], [17.2, 18])
    assert not set(Q.ravel()) <= {0.0, 1.0}  # values, not actions

    def worth(policy):
        P = np.eye(2)[to[np.arange(2), policy]]
        return np.linalg.solve(np.eye(2) - 0.9 * P, reward[np.arange(2), policy])

    policies = [np.array(p) for p in product((0, 1), repeat=2)]
    assert_array_equal(max(policies, key=lambda p: worth(p).sum()), Q.argmax(axis=1))
    assert_allclose(worth(Q.argmax(axis=1)), Q.max(axis=1))


# --- stored runs ---------------------------------------------------------------------------------------------


def test_stored_players_are_those_of_the_code():
    kept = stored.player_runs()
    assert kept.shape == (stored.PLAYERS, 3)
    assert_array_equal(kept.sum(axis=1), stored.GAMES)
    assert tuple(stored.player_run(1)) == tuple(kept[1])


def test_stored_rises_are_those_of_the_code():
    kept = stored.rise_runs()
    assert stored.rise_run(3) == (kept["moving"][3], kept["fixed"][3])


@pytest.mark.parametrize("seed", [3, 8])
def test_stored_rivals_are_those_of_the_code(seed):
    kept = stored.iris_runs()
    assert set(kept) == set(stored.RIVALS)
    assert all(row.shape == (stored.SPLITS,) for row in kept.values())
    fresh = stored.iris_run(seed)
    for name in stored.RIVALS:
        assert abs(fresh[name] - kept[name][seed]) <= (name == "line")
