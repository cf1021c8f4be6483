"""Tasks and exercises of chapter 31: a chain, beliefs by hand and in code, constants, a best path, counts, criteria."""

import numpy as np

from mlteach.exercises.tasks import number, spelt, task


def _is_a_share(words):
    """Return a function of a wrong probability: what is none is called so, of others ``words`` speak."""

    def say(v):
        if not 0 <= v <= 1:
            return f"A probability lies between 0 and 1; got {v:.4g}."
        return words(float(v))

    return say


@_is_a_share
def _climbs(v):
    return (
        f"From a clear day the chance of fog climbs, 0.1 tomorrow, towards what it is in the long run; got {v:.4g}. "
        "Which days can lie between, and how likely is each way?"
    )


@_is_a_share
def _balanced(v):
    return (
        f"If a share {v:.4g} of the days is foggy, then {0.4 * v:.4g} of them clear up and {0.1 * (1 - v):.4g} turn "
        "foggy, each day. In the long run these two are equal."
    )


@_is_a_share
def _odds_of_the_start(v):
    before = v / (v + 7 * (1 - v))
    return f"The lamp makes the odds of fog seven times as large. So {v:.4g} would need {before:.4g} before the look."


@_is_a_share
def _odds_of_the_prediction(v):
    before = v / (v + 7 * (1 - v))
    return (
        f"The lamp makes the odds of fog seven times as large. So {v:.4g} would need the prediction {before:.4g}. Is "
        "that the first belief after a step of the chain?"
    )


@_is_a_share
def _between_the_lamps(v):
    if not 0.1 <= v <= 0.7:
        return f"The lamp is on with 0.7 or 0.1, so β is a mean of these two, between them; got {v:.4g}."
    return (
        f"β is a mean of 0.7 and 0.1. In {v:.4g} fog has the weight {(v - 0.1) / 0.6:.4g}. How likely is fog on the "
        "second day if the first was foggy?"
    )


@_is_a_share
def _odds_of_beta(v):
    if v in (0, 1):
        return "No look is certain here, so no belief is 0 or 1."
    return (
        f"The odds of fog were 3 to 1 after the first look. {v:.4g} makes them {v / (1 - v) / 3:.4g} times as large. "
        "That factor is β(foggy) over β(clear)."
    )


def _undone(v):
    if v > 0:
        return f"The logarithm of a probability is not positive; got {v:.4g}."
    return f"e to the power of {v:.4g} is {np.exp(v):.4g}. The product of the two constants is another number."


def _written_still(v):
    if v != round(float(v)) or v < 0:
        return f"Steps are whole and counted from 1; got {v:.4g}."
    if v < 324:
        return f"After {v:.0f} steps α is 1e-{v:.0f}: a double can still write that. The smallest one is 5e-324."
    return "It is zero earlier: find the first power of ten that is nearer to 0 than to the smallest double, 5e-324."


@_is_a_share
def _a_way(v):
    return (
        f"The path has δ of day one, a step of the chain and the look of day two as factors. {v:.4g} is 0.21 times "
        f"{v / 0.21:.4g}, or 0.07 times {v / 0.07:.4g}: is one of these a step times a look?"
    )


@_is_a_share
def _a_share_of_moves(v):
    return f"Write down the moves that start in state 0, record by record. What share of them is {v:.4g}?"


@_is_a_share
def _a_share_of_looks(v):
    return f"Write down what was seen whenever the state was 0, in both records. What share of it is {v:.4g}?"


def _free(v):
    return (
        f"Take the parts one by one: the start law has 3 numbers with one sum given, each row of A as well, the rates "
        f"have no such sum. Together not {v:g}."
    )


def _aic_of(v):
    return (
        f"-2ℓ is 657.06. What is left of {v:.6g} should be two for each free number: that would be "
        f"{(v - 657.06) / 2:.4g} of them."
    )


def _bic_of(v):
    return (
        f"-2ℓ is 657.06. What is left of {v:.6g} should be 4.6728 for each free number: that would be "
        f"{(v - 657.06) / 4.6728:.4g} of them."
    )


task("31.a", "Fog ahead, fog in the end",
    start="By which ways can a clear day be followed by fog two days later?",
    hints=["Two ways: it turns foggy at once and stays so, or it stays clear and turns foggy then.",
           "In the end: in = out, 0.4 π = 0.1 (1 - π)."],
    two=number("The chance of fog in two days", "0.1 * 0.6 + 0.9 * 0.1", to=6e-4, say=_climbs, slips="""
        0.06 | That is the way through a foggy day alone. Add the way that stays clear first.
        0.09 | That is the way through a clear day alone. Add the way through fog.
        0.2  | That is the share in the long run. In two days it is not yet reached.
        0.1  | That is tomorrow.
        0.6  | You went along the columns: row 0 says where fog leads, row 1 where clear air leads.
        0.4  | That starts from a foggy day. Today is clear.
        0.85 | That is the chance of clear air.
        0.25 | That is the example of the text, one day ahead from another law, or both days' chances added up. Asked is
            the second day.
        0.01 | Turning foggy twice is no way: between the two days it is foggy, and then it stays with 0.6.
        0.225 | That starts from the 0.3 of the example. Today is clear: start from fog 0.
        0.175 | That is three days ahead. Count the steps: two days are two.
        0.19 | That is the chance of fog on at least one of the two days. Asked is the second day alone.
        0.81 | That is the chance of two clear days in a row.
        0.36 | That is fog that stays, twice. Today is clear.
        0.04 | That goes to fog and back: it ends in clear air.
        0.24 | The way through fog begins with 0.1, the chance that clear air turns foggy.
        0.54 | The step into fog comes from clear air, with 0.1.
        0.7  | The ways into fog start in different states: weigh each by the chance to be there.
        0.12 | Only one way leads through fog, and one that stays clear first. Add these two.
        0.125 | That is the mean of the two days. Asked is the second day.
        """),
    share=number("The share of foggy days", "0.1 / (0.1 + 0.4)", to=6e-4, say=_balanced, slips="""
        0.8  | That is the share of clear days.
        0.15 | That is the chance of fog in two days. In the long run as many days turn foggy as clear up.
        0.25 | That is foggy days per clear day. As a share of all days it is less.
        0.35 | That is the mean of the first column. Weigh the rows by how often they are visited.
        0.5  | The chances to leave are unequal, so the shares are. (The transposed matrix would make them equal.)
        0.1  | That is the chance that a clear day turns foggy. In balance as many days turn foggy as clear up.
        0.6  | That is the chance that fog stays. In balance as many days turn foggy as clear up.
        0.6 / 0.7 | You balanced the chances to stay. What balances is leaving: fog ends with 0.4, begins with 0.1.
        0.1 / 0.7 | You compared turning foggy with fog that stays. Compare it with fog that ends, 0.4.
        0.4  | That is the chance that fog ends. In balance as many days turn foggy as clear up.
        0.9  | That is the chance that clear air stays. In balance as many days turn foggy as clear up.
        2.5  | That is how many days fog lasts on average. Compare it with how long clear air lasts.
        10   | That is how many days clear air lasts on average. Compare it with how long fog lasts.
        4    | That is clear days per foggy day. As a share of all days fog has one part of five.
        1 / 17**0.5 | That vector has length one. A law has the sum one: divide by the sum of the entries.
        0.3  | That is the law of the example. The stationary law hangs on A alone, on no start.
        0.175 | That is three days ahead. In the long run the law no longer changes.
        """),
    right="Right. From a clear day the chance of fog climbs: 0.1, 0.15, ..., 0.2.",
    explanation="0.1 · 0.6 + 0.9 · 0.1 = 0.15. In balance 0.4 π = 0.1 (1 - π), so π = 0.2.",
)  # fmt: skip

task("31.b", "Two lamps in a row",
    start="What is known before the first look? And what happens to a belief between two looks?",
    hints=["First look: weigh (0.3, 0.7) by (0.7, 0.1). No step of the chain yet.",
           "Second: predict 0.75 · 0.6 + 0.25 · 0.1 = 0.475, then weigh."],
    first=number("The belief after one look", "0.3 * 0.7 / (0.3 * 0.7 + 0.7 * 0.1)", to=6e-4,
        say=_odds_of_the_start, slips="""
        0.7    | So it is if you let the chain step before the first look, which belongs to the first state. And the
            lamp's own 0.7 says how likely the lamp is in fog, not how likely fog is with the lamp.
        0.21   | That is α. Divide by the sum over both states.
        0.28   | That is the sum, c. The belief is the foggy part of it.
        0.3    | That is the belief before the look.
        0.875  | You forgot the start: it is not half and half.
        0.25   | That is the chance of clear air.
        0.07   | That is α of the clear state. Take the foggy one, and divide by the sum of both.
        0.125  | That is for a lamp that is off. It is on: weigh by 0.7 and 0.1.
        0.5    | The states are not weighed by the look: 0.7 in fog, 0.1 when clear.
        3      | Those are the odds, foggy to clear. As a share of both it is less than one.
        0.896  | That is the belief about the first day after *both* looks, a smoothed one.
        """),
    second=number("The belief after two looks", "0.475 * 0.7 / (0.475 * 0.7 + 0.525 * 0.1)", to=6e-4,
        say=_odds_of_the_prediction, slips="""
        0.9277 | You used the transposed matrix: A[i, j] leads from i to j.
        0.9545 | You forgot the step of the chain between the two looks.
        0.475  | That is the prediction. Now weigh it by the look.
        0.851  | So it is if the chain steps before the first look, which belongs to the first state; or if the
            prediction leaves out the way from clear air into fog.
        0.3325 | Divide by the sum over both states.
        0.385  | That is the sum, c. The belief is the foggy part of it.
        0.8961 | That is the belief about the *first* day after both looks, a smoothed one.
        0.75   | That is the belief after the first look.
        0.7    | The first look is forgotten: predict from the belief after it, not from the start law.
        0.0931 | That is α₂(foggy). Divide by the sum over both states.
        0.1078 | That is the probability of both looks, the sum of α₂. The belief is the foggy part of it.
        0.1364 | That is the chance of clear air.
        0.0525 | That is the clear part, before the division by the sum.
        0.525  | That is the prediction of clear air. Take the foggy one, and weigh it by the look.
        0.2317 | That is for a lamp that is off. It is on again.
        0.781  | The chain took two steps. Between two looks it takes one.
        0.9356 | Clear air turns foggy with 0.1 and stays with 0.9: you exchanged the two.
        0.875  | The prediction is missing: you weighed half and half by the look.
        0.913  | That starts from a day that is foggy for sure. Predict from the belief 0.75.
        0.46   | That is β, how likely the second look is from a foggy day. Asked is the belief after it.
        0.45   | That is the way from fog to fog. Add the way from clear air, then weigh by the look.
        6.3333 | Those are the odds, foggy to clear. As a share of both it is less than one.
        0.9844 | You took the lamp's chances for the chain's, or weighed twice. One step of the chain, then one look.
        """),
    right="Right. Each look is a Bayes rule whose prior is the prediction.",
    explanation="0.21/(0.21 + 0.07) = 0.75. Prediction 0.475; 0.3325/(0.3325 + 0.0525) = 0.8636.",
)  # fmt: skip


def belief_step(belief, A, likelihood):
    predicted = np.asarray(belief) @ np.asarray(A)
    weighed = predicted * np.asarray(likelihood)
    return weighed / weighed.sum()


UMBRELLA = np.array([[0.7, 0.3], [0.3, 0.7]])
FOG = np.array([[0.6, 0.4], [0.1, 0.9]])
ROOMS = np.array([[0.5, 0.3, 0.2], [0.0, 0.6, 0.4], [0.25, 0.05, 0.7]])


def _weighs_before_it_predicts(belief, A, likelihood):
    weighed = (np.asarray(belief) * likelihood) @ A
    return weighed / weighed.sum()


task("31.c", "The step of a belief",
    belief_step,
    cases=[
        (np.array([0.818, 0.182]), UMBRELLA, np.array([0.9, 0.2])),
        (np.array([0.75, 0.25]), FOG, np.array([0.7, 0.1])),
        (np.array([0.2, 0.5, 0.3]), ROOMS, np.array([0.1, 0.6, 0.05])),
        (np.array([0.0, 1.0, 0.0]), ROOMS, np.array([0.9, 0.02, 0.3])),
    ],
    what="The belief",
    slips=[
        (_weighs_before_it_predicts, "You weigh the old state by the new look. The chain steps first, then one looks."),
        """
    np.asarray(belief) @ np.asarray(A) => (np.asarray(belief)[:, None] * A).max(axis=0)
        | You keep the best way into each state. A belief adds up all ways: the sum.
    np.asarray(belief) @ np.asarray(A) => np.asarray(A)[np.argmax(belief)]
        | You go on from the most likely state alone. All count, weighed by the belief.
    np.asarray(belief) @ np.asarray(A) => np.asarray(belief) ;; * np.asarray(likelihood) => * (A @ likelihood)
        | That is the *old* state's belief, smoothed by the new look. Asked is the new state's.
    np.asarray(belief) @ np.asarray(A) => np.asarray(belief) * np.diag(A)
        | You let every state stay. The others lead into it as well: sum over all of them.
    np.asarray(belief) @ np.asarray(A) => (np.asarray(belief) * likelihood) @ A
        | The look counts twice, before the step and after it. It belongs to the new state alone.
    np.asarray(belief) @ np.asarray(A) => np.asarray(A) @ np.asarray(belief)
        | That uses the transposed matrix: A[i, j] leads from i to j, so sum over the rows.
    predicted = np.asarray(belief) @ np.asarray(A) => predicted = np.asarray(belief)
        | Between two looks the chain takes a step. It is missing, or it sums over where one goes to: rows sum to one.
    weighed / weighed.sum() => weighed | That does not sum to one. Divide by the sum.
    weighed / weighed.sum() => weighed / weighed.max() | Divide by the sum: a belief sums to one.
    predicted * np.asarray(likelihood) => predicted + np.asarray(likelihood) | Probabilities of both happening multiply.
    weighed = predicted * np.asarray(likelihood) => weighed = predicted
        | That is the prediction. The observation is missing.
    predicted * np.asarray(likelihood) => predicted * (1 - np.asarray(likelihood))
        | You weigh by the chance that the look does *not* come. It came: weigh by its likelihood.
    predicted * np.asarray(likelihood) => predicted / np.asarray(likelihood)
        | You divide by the likelihood. What a state foretells well must gain: multiply.
    predicted * np.asarray(likelihood) => predicted + np.log(likelihood)
        | Here prediction and look are probabilities, and multiply. Logarithms would add on both sides.
    predicted * np.asarray(likelihood) => predicted * np.asarray(likelihood) ** 2 | The look counts once, not squared.
    predicted * np.asarray(likelihood) => predicted * np.asarray(belief) * np.asarray(likelihood)
        | The old belief counts twice: it is in the prediction already.
    weighed = predicted * np.asarray(likelihood) => weighed = np.asarray(likelihood) * 1.0
        | That is the look alone. It weighs the prediction, which is missing.
    @ np.asarray(A) => @ np.asarray(A) @ np.asarray(A) | The chain takes one step between two looks, not two.
    return weighed / weighed.sum() => return predicted * likelihood / np.sum(likelihood)
        | You normalised the likelihood. It is no law over the states; the product must sum to one.
    weighed / weighed.sum() => weighed / np.linalg.norm(weighed)
        | You divide by the length of the vector. A belief sums to one: divide by the sum.
    weighed / weighed.sum() => weighed / len(weighed)
        | You divide by the number of states. A belief sums to one: divide by the sum.
    weighed / weighed.sum() => np.exp(weighed) / np.exp(weighed).sum()
        | No exponentials are needed: these are weights already. Divide them by their sum.
    return weighed / weighed.sum() => return weighed / weighed.sum() @ np.asarray(A)
        | That is one step too far: it is the prediction of the time after the look.
    return weighed / weighed.sum() => return weighed.sum()
        | That is the constant c by which one divides. The belief is what is divided.
    """],
    start="Where does the belief stand before the new observation is seen?",
    hints=["Predict: belief @ A. Weigh: times the likelihood. Normalise.", "Rows of A are where one comes from."],
    right="Right. Three lines, and a belief moves.",
    explanation="Predict with belief @ A, multiply by the likelihood of each state, divide by the sum.",
)  # fmt: skip

task("31.d", "What the second look says of the first day",
    start="How likely is the second look if the first day was foggy? And if it was clear?",
    hints=["β(foggy) = 0.6 · 0.7 + 0.4 · 0.1.",
           "β(clear) = 0.1 · 0.7 + 0.9 · 0.1 = 0.16; weigh 0.75 and 0.25 by both."],
    beta=number("β₁(foggy)", "0.6 * 0.7 + 0.4 * 0.1", to=6e-4, say=_between_the_lamps, slips="""
        0.16   | That is β of the clear state.
        0.42   | The second day may also be clear: add 0.4 · 0.1.
        0.322  | The look of the first day does not belong to β: it looks at later ones only.
        0.7    | Between the two looks the chain takes a step: the second day may be foggy or clear.
        0.385  | That is c₂, from the belief 0.75. β starts from a day that is foggy for sure.
        0.43   | That goes along the column. From foggy: 0.6 to foggy, 0.4 to clear.
        1      | That is β at the last time, after which nothing is seen. After day one there is a look.
        0.7419 | β is no law over the states: it is not normalised. It is the probability of later looks.
        0.34   | The chances of the lamp are exchanged: 0.7 goes with fog, 0.1 with clear air.
        0.54   | That is for a lamp that is off on day two. It is on.
        0.62   | That is the sum of β over both states. Asked is β of the foggy one.
        0.6    | That is the step alone. Weigh the second day by its look.
        0.0966 | That is α·β, with the first look in it. β has the later look alone.
        0.028  | You multiplied the two ways. They exclude each other: add.
        0.04   | The second day may also be foggy: add 0.6 · 0.7.
        0.8    | The looks are added without the step: weigh 0.7 by 0.6, and 0.1 by 0.4.
        0.475  | That is the prediction. β asks for the look: how likely is the lamp on day two, from a foggy day one?
        0.69   | That is the umbrella's. Here fog stays with 0.6, and the lamp has 0.7 and 0.1.
        0.78   | The lamp is on when clear with 0.1, not 0.9.
        0.3325 | That starts from the belief 0.75, and has the way into fog alone. β starts from a day foggy for sure.
        """),
    smoothed=number("The smoothed belief", "0.75 * 0.46 / (0.75 * 0.46 + 0.25 * 0.16)", to=6e-4,
        say=_odds_of_beta, slips="""
        0.75   | That is the filter's. The second look says more.
        0.8636 | That is the belief about the second day.
        0.345  | Divide by the sum over both states.
        0.5519 | The first look is missing: weigh the belief 0.75, not the start 0.3, by β.
        0.9837 | The first look counts twice: it is in 0.75 already, and does not belong to β.
        0.7419 | That is β alone, normalised. Weigh the belief of the first day by it.
        0.4600 | That is β. Weigh the belief 0.75 by it, and normalise.
        0.0966 | That is α·β of the foggy state. Divide by the sum over both states.
        1.2321 | Divide by the sum of α·β over both states, not by that of α.
        0.9479 | You weighed the belief of the *second* day by β₁. Take that of the first.
        0.1039 | That is the chance of clear air.
        0.04   | That is the clear part, before the division by the sum.
        0.1078 | That is the probability of both looks. The smoothed belief is the foggy part of it.
        0.385  | That is the sum by which one divides.
        0.9545 | Between the looks the chain takes a step: weigh by β, not by the lamp's own 0.7 and 0.1.
        0.475  | That is the prediction of day two. Asked is day one, from both looks.
        0.883  | That is the umbrella's. Here weigh 0.75 and 0.25 by β.
        0.8182 | That is fog on both days. Day two may be clear as well: use the whole of β.
        0.605  | That is a mean. The messages multiply, and the product is normalised.
        0.75 * 0.16 / (0.75 * 0.16 + 0.25 * 0.46) | β is exchanged: 0.46 goes with fog, 0.16 with clear air.
        """),
    right="Right. The lamp of day two speaks of day one as well.",
    explanation="β = (0.46, 0.16). 0.75 · 0.46 = 0.345 and 0.25 · 0.16 = 0.04: 0.345/0.385 = 0.8961.",
)  # fmt: skip

task("31.e", "Constants, and the end of the numbers",
    start="What is the product of the constants?",
    hints=["P(z₁, z₂) = c₁ c₂, so the logarithms add.",
           "The smallest positive double is 4.9e-324: what is 0.1 to the 324?"],
    log_p=number("ln P(z₁, z₂)", -2.22748, to=6e-4, say=_undone, slips="""
        2.2275   | The logarithm of a probability is negative.
        0.1078   | That is the probability. Take its logarithm.
        -0.9673  | That is the logarithm to the base 10.
        -1.27297 | That is ln c₁ alone. Add ln c₂.
        -0.95451 | That is ln c₂ alone. Add ln c₁.
        0.665    | That is the sum of the constants. They multiply.
        -3.21357 | That is the logarithm to the base 2.
        -0.40797 | That is the logarithm of the sum. The constants multiply, so their logarithms add.
        1.21506  | You multiplied the logarithms. The constants multiply, so their logarithms add.
        -0.31845 | You subtracted the logarithms. The constants multiply, so their logarithms add.
        0.31845  | You subtracted the logarithms. The constants multiply, so their logarithms add.
        -1.11374 | That is the mean a look. Asked is the sum.
        -1.10116 | That is the logarithm of the mean of the constants. Their logarithms add.
        -2.3741  | That is the logarithm of α₂(foggy). Sum over both states first.
        -1.90902 | You took c₂ twice. Add ln c₁ and ln c₂.
        -2.54593 | You took c₁ twice. Add ln c₁ and ln c₂.
        -0.43433 | Those are the beliefs' logarithms. They are what is left after the division; take the constants.
        """),
    steps=number("The number of steps", 324, to=1e-6, say=_written_still, slips="""
        323 | 10⁻³²³ can still be written: it is not yet zero.
        325 | It is zero already one step before.
        745 | That is for a factor of 1/e. Here each step takes a factor of ten.
        308 | Below 1e-308 a double loses digits, but it is not yet zero.
        1075 | That is for c = 1/2. Here each step takes a factor of ten.
        1074 | That is for c = 1/2. Here each step takes a factor of ten.
        1022 | That is for c = 1/2, where a double begins to lose digits. Here each step takes a factor of ten.
        307 | Below 1e-308 a double loses digits, but it is not yet zero.
        309 | Below 1e-308 a double loses digits, but it is not yet zero.
        1095 | That is the umbrella's. There a look costs a factor of about two, here of ten.
        1137 | That is the umbrella's. There a look costs a factor of about two, here of ten.
        15 | So many digits has a double. But its exponent moves: 1e-16 is not zero, and α is not added to 1.
        16 | So many digits has a double. But its exponent moves: 1e-16 is not zero, and α is not added to 1.
        17 | So many digits has a double. But its exponent moves: 1e-17 is not zero, and α is not added to 1.
        38 | That is for numbers of 32 bits. Python's have 64: they end at 5e-324.
        45 | That is for numbers of 32 bits. Python's have 64: they end at 5e-324.
        46 | That is for numbers of 32 bits. Python's have 64: they end at 5e-324.
        float("inf") | In exact numbers never. But a double ends at 5e-324: what lies below its half is rounded to 0.
        10 | Each step takes a factor of ten, but 1e-10 is far from the smallest double, 5e-324.
        323.3 | Steps are whole: at which one is α for the first time below half of 5e-324?
        """),
    right="Right. A record of a year is enough to kill an unscaled pass.",
    explanation="ln 0.28 + ln 0.385 = -2.2275. 10⁻³²³ can still be written, 10⁻³²⁴ becomes 0.",
)  # fmt: skip

task("31.f", "The best way into a clear day",
    start="Which of the two ways into the clear state is worth more?",
    hints=["Into clear: 0.21 · 0.4 and 0.07 · 0.9.", "Multiply the larger one by 0.9, and compare with foggy."],
    value=number("The probability of the best path", "0.21 * 0.4 * 0.9", to=6e-5, say=_a_way, slips="""
        0.1323 | That is the sum over both ways, as in the forward pass. Viterbi keeps the larger one.
        0.0567 | That is the path C, C: 0.07 · 0.9 · 0.9. Another way into the clear state is worth more.
        0.0378 | That path ends in fog. A path that ends in clear air is worth more.
        0.084  | The look at the second day is missing: times 0.9.
        0.439  | That is given the looks. Asked is the probability of the path *with* its looks: do not divide.
        0.1722 | That is the likelihood, the sum over all paths. Viterbi takes the largest.
        0.126  | That is the way that stays foggy, before the look: times 0.3 it loses.
        0.0084 | The lamp is off on day two: times 0.9, not 0.1.
        0.21   | That is δ at day one. A step and a look are to come.
        0.0189 | From fog to clear air is 0.4; 0.1 is the way back.
        0.108  | The first look is missing: start from δ₁ = 0.21, not from 0.3.
        0.05292 | The first look counts twice: it is in 0.21 already.
        0.189  | The step of the chain is missing: from fog to clear air with 0.4.
        0.063  | That is the way that stays clear, before the look: another one is larger.
        0.0021 | That is the path C, F, the worst of the four.
        -2.5823 | That is its logarithm.
        0.0252 | A foggy day shows a lamp that is off with 0.3, a clear one with 0.9. The path ends in clear air.
        0.1134 | That adds the two ends. A path has one.
        0.5714 | That is the share of one way among those into the clear state. Asked is the path with its looks.
        0.7683 | That is how likely a clear second day is, over all paths. Asked is one path with its looks.
        0.0399 | That is α₂(foggy), a sum over two ways. Asked is the best path: one way, to the better end.
        0.27   | That is given the first look. Asked is the path *with* its looks: do not divide.
        0.36   | Start and first look are missing: δ₁ = 0.21 is the first factor.
        0.12   | Both looks are missing: δ₁ has the first one in it, then comes that of day two.
        """),
    path=spelt("The path", "FC", "FC", slips="""
        CF | The order is day one, then day two.
        CC | Compare 0.21 · 0.4 with 0.07 · 0.9.
        FF | Compare the two ends after the look: 0.0378 in fog.
        C  | That is one day. The path has a letter for each day, two in all.
        F  | That is one day. The path has a letter for each day, two in all.
        FFC | The path has a letter for each look, two in all. The start law is the law of day one.
        CFC | The path has a letter for each look, two in all. The start law is the law of day one.
        FCC | The path has a letter for each look, two in all. Nothing is asked after day two.
        """),
    right="Right.",
    explanation="Into clear: max(0.084, 0.063) · 0.9 = 0.0756; into fog: max(0.126, 0.007) · 0.3 = 0.0378. So F, C.",
)  # fmt: skip

task("31.g", "Two records, counted",
    start="How many moves start in state 0, the border between the records left out?",
    hints=["Moves that start in state 0: one in the first record, two in the second.",
           "State 0 is seen four times; its looks are 0, 0, 1, 0."],
    a01=number("A₀₁", "2 / 3", to=6e-4, say=_a_share_of_moves, slips="""
        0.5   | One half comes from a move counted across the border between the records, from visits in place of moves,
            or from the second record alone.
        0.4   | Divide by the moves that start in state 0, not by those that lead into state 1; none crosses records.
        0.2857 | Divide by the moves that start in state 0, not by all moves.
        0.25  | That is A₁₀, from state 1 to state 0, or a division by all moves. Divide by those that start in state 0.
        0.3333 | That is A₀₀.
        2     | That is the count. Divide by the moves that start in state 0.
        1     | That is the first record alone. Count the moves of both.
        0.75  | That is A₁₁, or the mean of the two records' shares. Add the counts first, then divide.
        0.6   | You added pseudo-counts. (31.12) takes the counts as they are.
        5 / 9 | That is the share of time in state 1. Asked is where the moves from state 0 lead.
        4 / 9 | That is the share of time in state 0. Asked is where the moves from state 0 lead.
        1 / 7 | Count the moves 0→1 in both records, and divide by those that start in state 0.
        3     | That is the number of moves that start in state 0. How many of them lead to 1?
        1.5   | That is upside down.
        """),
    b=number("P(z = 1 | state 0)", "1 / 4", to=6e-4, say=_a_share_of_looks, slips="""
        0.75  | That is P(z = 0 | state 0).
        0.8   | That is for state 1.
        0.3333 | The emission counts every visit, the last one of a record as well, and no pseudo-counts: 4 in all.
        0.2   | That is P(state 0 | z = 1), with the ones seen below the line, or P(z = 0 | state 1). Divide by the
            visits to state 0.
        0.1111 | Divide by the visits to state 0, not by all of them.
        0.5   | The second record alone has that share, one of two. Add the counts of both: state 0 has four visits.
        0     | That is the first record alone. Add the counts of both.
        1     | That is the count. Divide by the visits to state 0.
        5 / 9 | That is the share of ones among all looks. Count those in state 0.
        4 / 9 | That is P(z = 1 and state 1), or the share of zeros. Count the ones in state 0.
        3     | That is the odds, zeros to ones. Divide the ones by all visits to state 0.
        2 / 3 | That is A₀₁. Asked is what state 0 shows, not where it leads.
        4     | That is the number of visits to state 0. How many of their looks are 1?
        """),
    right="Right. Moves are one fewer than visits in each record.",
    explanation="From 0: 0→1 twice, 0→0 once: 2/3. Looks in state 0: 0, 0, 1, 0: 1/4.",
)  # fmt: skip

task("31.h", "The price of a third state",
    start="How many numbers are free in a start law, in a row of A, in the rates?",
    hints=["2 + 6 + 3 for three states.", "AIC = 2k - 2ℓ, BIC = k ln 107 - 2ℓ, with ℓ = -328.53."],
    k=number("The free numbers", 11, to=1e-6, say=_free, slips="""
        15 | Probabilities that sum to one leave one fewer free.
        12 | The start law sums to one as well: of its three numbers two are free.
        9  | Two numbers are missing: is the law of the first state in it, and two for *each* row of A?
        8  | Three numbers are missing: are the rates in it, and two for *each* row of A?
        6  | That is A alone.
        3  | Those are the rates alone.
        14 | Each row of A sums to one: of its three numbers two are free, six in all.
        13 | Each *row* of A sums to one, not the matrix as a whole: six of its numbers are free.
        10 | The start law of three states has two free numbers; one is for two states.
        5  | That is for two states. A third one adds to the start, to A and to the rates.
        7  | A has three rows now, with two free numbers each.
        17 | A Poisson law has one number, its rate: three in all, not a table of nine.
        2  | That is the start law alone.
        """),
    of_aic=number("AIC", "2 * 11 + 2 * 328.53", to=0.06, say=_aic_of, slips="""
        350.53  | Twice the log-likelihood: -2ℓ.
        -635.06 | The sign: -2ℓ is positive here.
        708.46  | That is BIC.
        668.06  | Each free number costs 2: add 2k, not k.
        635.06  | The price of the free numbers is added, not subtracted: it makes a larger model look worse.
        -679.06 | The sign: AIC is 2k - 2ℓ, and ℓ is negative.
        306.53  | Twice the log-likelihood, and the price of the free numbers is added: 2k - 2ℓ.
        693.8   | That is for two states.
        705.76  | That has the log-likelihood of two states. Take the one of three, -328.53.
        657.06  | That is -2ℓ. The price of the free numbers is missing.
        675.06  | That is for k = 9: the law of the first state is learned, too, two numbers more.
        673.06  | That is for k = 8: the rates count as well.
        681.06  | That is for k = 12: probabilities that sum to one leave one fewer free.
        685.06  | That is for k = 14: probabilities that sum to one leave one fewer free.
        687.06  | That is for k = 15: probabilities that sum to one leave one fewer free.
        667.06  | That is for k = 5, as for two states. Three states have more free numbers.
        339.53  | AIC is 2k - 2ℓ: both terms have a factor 2.
        """),
    of_bic=number("BIC", "11 * 4.6728 + 2 * 328.53", to=0.06, say=_bic_of, slips="""
        679.06  | That is AIC.
        379.93  | Twice the log-likelihood: -2ℓ.
        699.11  | That is for k = 9: the law of the first state is learned, too, two numbers more.
        759.86  | The price of a number is ln 107 = 4.67, not twice that.
        682.76  | The price of a number is ln 107 in whole, not half of it: the 2 is in -2ℓ already.
        605.66  | The price of the free numbers is added, not subtracted: it makes a larger model look worse.
        -605.66 | The sign: -2ℓ is positive here.
        -708.46 | The sign: BIC is k ln n - 2ℓ, and ℓ is negative.
        679.38  | That has the logarithm to the base 10. Take the natural one, 4.6728.
        731.22  | That has the logarithm to the base 2. Take the natural one, 4.6728.
        1834.06 | The price of a number is the logarithm of n, not n.
        708.36  | n is the number of years, 107, not 106.
        707.1   | That is for two states.
        735.16  | That has the log-likelihood of two states. Take the one of three, -328.53.
        657.06  | That is -2ℓ. The price of the free numbers is missing.
        661.73  | The price of *each* free number is 4.67: times k.
        694.44  | That is for k = 8: the rates count as well.
        713.13  | That is for k = 12: probabilities that sum to one leave one fewer free.
        722.48  | That is for k = 14: probabilities that sum to one leave one fewer free.
        727.15  | That is for k = 15: probabilities that sum to one leave one fewer free.
        680.42  | That is for k = 5, as for two states. Three states have more free numbers.
        730.46  | You added the price of AIC as well. BIC has k ln n in the place of 2k.
        """),
    right="Right. Against 693.8 and 707.1 of two states the two criteria disagree.",
    explanation="k = 2 + 6 + 3 = 11. AIC = 22 + 657.06 = 679.06; BIC = 51.40 + 657.06 = 708.46.",
)  # fmt: skip


def smooth_all(start, A, b):
    T = len(b)
    alpha, beta = np.zeros(b.shape), np.ones(b.shape)
    alpha[0] = start * b[0]
    for t in range(1, T):
        alpha[t] = (alpha[t - 1] @ A) * b[t]
    for t in range(T - 2, -1, -1):
        beta[t] = A @ (b[t + 1] * beta[t + 1])
    both = alpha * beta
    return both / both.sum(axis=1, keepdims=True)


FOUR_LOOKS = np.array([[0.9, 0.2], [0.9, 0.2], [0.1, 0.8], [0.9, 0.2]])
LOPSIDED = np.array([[0.7, 0.1], [0.3, 0.9], [0.3, 0.9], [0.7, 0.1], [0.7, 0.1]])
THREE_WAYS = np.array([[0.2, 0.5, 0.9], [0.6, 0.1, 0.3], [0.4, 0.4, 0.05], [0.3, 0.8, 0.6]])


def _filters(start, A, b):
    alpha = np.zeros(b.shape)
    alpha[0] = start * b[0]
    for t in range(1, len(b)):
        alpha[t] = (alpha[t - 1] @ A) * b[t]
    return alpha / alpha.sum(axis=1, keepdims=True)


def _both_ways_from_the_start(start, A, b):
    both = _filters(start, A, b) * _filters(start, A, b[::-1])[::-1]
    return both / both.sum(axis=1, keepdims=True)


def _neighbours(start, A, b):
    belief = _filters(start, A, b)
    both = belief * np.vstack([belief[1:], np.ones((1, b.shape[1]))])
    return both / both.sum(axis=1, keepdims=True)


def _moving_mean(start, A, b):
    belief = _filters(start, A, b)
    mean = belief.copy()
    mean[1:-1] = (belief[:-2] + belief[1:-1] + belief[2:]) / 3
    return mean


def _chain_turned_round(start, A, b):
    belief = _filters(start, A, b)
    for t in range(len(b) - 2, -1, -1):
        belief[t] = belief[t] * (A @ belief[t + 1])
        belief[t] /= belief[t].sum()
    return belief


task("31.1", "Forward, backward, together",
    smooth_all,
    cases=[
        (np.array([0.5, 0.5]), UMBRELLA, FOUR_LOOKS),
        (np.array([0.3, 0.7]), FOG, LOPSIDED),
        (np.array([0.1, 0.6, 0.3]), ROOMS, THREE_WAYS),
        (np.array([1.0, 0.0]), FOG, LOPSIDED[:1]),
    ],
    what="The smoothed beliefs",
    slips=[
        (_both_ways_from_the_start, "Your backward pass is a filter from the end: start law and own look are in it."),
        (_neighbours, "You multiply by the filter of the next time. What comes from there is β: later looks alone."),
        (_moving_mean, "A mean of neighbours is no belief given the looks. Multiply α by what later looks say."),
        (_chain_turned_round, "You bring the next *belief* back. It has the earlier looks in it already; β has not."),
        """
    b[t + 1] * beta[t + 1] => b[t] * beta[t + 1] | β looks at later observations only: b[t + 1], not b[t].
    A @ (b[t + 1] => A.T @ (b[t + 1] | In the backward pass the sum runs over where one goes to: A, not its transpose.
    (alpha[t - 1] @ A) * b[t] => (A @ alpha[t - 1]) * b[t] | In the forward pass the sum runs over where one comes from.
    alpha[0] = start * b[0] => alpha[0] = (start @ A) * b[0]
        | The first observation belongs to the first state: no step of the chain before it.
    alpha[0] = start * b[0] => alpha[0] = start | The first observation is missing.
    beta[t] = A @ (b[t + 1] * beta[t + 1]) => beta[t] = b[t] * (A @ beta[t + 1])
        | β looks at later observations only: the look of time t itself belongs to α, not to β.
    beta[t] = A @ (b[t + 1] * beta[t + 1]) => beta[t] = b[t + 1] * (A @ beta[t + 1])
        | The next look belongs to the next state: weigh by b[t + 1] inside the sum, then take the step.
    both = alpha * beta => both = beta | That is β alone. Weigh it by α.
    both = alpha * beta => both = alpha + beta | Past and future are independent given the state: multiply the messages.
    both = alpha * beta => both = alpha * beta * b
        | The look of time t counts twice: it is in α already, so β must begin after it.
    both = alpha * beta => both = alpha * beta[::-1]
        | β stands in the wrong order: its last row, for the last time, is all ones.
    both = alpha * beta => both = alpha * np.roll(beta, -1, axis=0)
        | α and β must speak of the same time: row t of one times row t of the other.
    both = alpha * beta => both = (np.vstack([[start], alpha[:-1] @ A])) * beta
        | That is the prediction times β: the look of time t itself is in neither.
    alpha[0] = start * b[0] => alpha[0] = b[0] | The start law is missing: weigh it by the first look.
    (alpha[t - 1] @ A) * b[t] => alpha[t - 1] @ A | The looks are missing in the forward pass after the first.
    (alpha[t - 1] @ A) * b[t] => (alpha[t - 1] @ A) * b[t - 1] | α at time t weighs by the look of time t.
    (alpha[t - 1] @ A) * b[t] => (alpha[t - 1] * b[t]) @ A
        | In the forward pass the chain steps first: the look of time t belongs to the state at time t.
    (alpha[t - 1] @ A) * b[t] => alpha[t - 1] * b[t] | Between two looks the chain takes a step: it is missing forward.
    A @ (b[t + 1] * beta[t + 1]) => b[t + 1] * beta[t + 1]
        | Between two looks the chain takes a step: it is missing backward.
    A @ (b[t + 1] * beta[t + 1]) => A @ b[t + 1]
        | β must hand on what it knows of still later looks: its next value is missing.
    alpha[t] = (alpha[t - 1] @ A) * b[t] => alpha[t] = ((alpha[t - 1][:, None] * A).max(axis=0)) * b[t]
        | You keep the best way in the forward pass. The forward pass adds up all ways: the maximum is Viterbi's.
    beta[t] = A @ (b[t + 1] * beta[t + 1]) => beta[t] = (A * (b[t + 1] * beta[t + 1])).max(axis=1)
        | You keep the best way in the backward pass. It adds up all ways: the maximum is Viterbi's.
    np.zeros(b.shape), np.ones(b.shape) => np.zeros(b.shape), np.ones(b.shape) * start
        | β ends with ones: after the last time nothing is seen. The start law belongs to α.
    np.zeros(b.shape), np.ones(b.shape) => np.zeros(b.shape), np.zeros(b.shape)
        | β ends with ones: that nothing more is seen is certain. From zeros it stays zero.
    np.zeros(b.shape), np.ones(b.shape) => np.zeros(b.shape), b * 1.0
        | β ends with ones: after the last time nothing is seen. The last look belongs to α.
    range(1, T) => range(1, T - 1) | The forward pass goes on to the last time.
    range(T - 2, -1, -1) => range(T - 3, -1, -1) | The backward pass begins one step before the last time.
    both / both.sum(axis=1, keepdims=True) => both / both.max(axis=1, keepdims=True)
        | Divide each row by its sum, not by its largest entry.
    both / both.sum(axis=1, keepdims=True) => both / both.sum()
        | Each row, one time, must sum to one, not the whole table.
    both / both.sum(axis=1, keepdims=True) => both / alpha.sum(axis=1, keepdims=True)
        | Divide by the sum of α·β at each time, not by that of α.
    return both / both.sum(axis=1, keepdims=True) =>
        return alpha / alpha.sum(axis=1, keepdims=True) * beta / beta.sum(axis=1, keepdims=True)
        | You normalised α and β one by one. Their product must sum to one.
    both = alpha * beta => both = alpha / alpha.sum(axis=1, keepdims=True) + beta / beta.sum(axis=1, keepdims=True)
        | Past and future are independent given the state: multiply the messages, do not average them.
    both = alpha * beta => both = np.log(alpha) + np.log(beta)
        | Those are logarithms of α·β. Take the exponential before you normalise.
    return both / both.sum(axis=1, keepdims=True) => return (both / both.sum(axis=1, keepdims=True)).argmax(axis=1)
        | Those are the most likely states. Asked are the beliefs, one row for each time.
    return both / both.sum(axis=1, keepdims=True) => return (both / both.sum(axis=1, keepdims=True)).T
        | Rows are times, columns states: yours is turned.
    both = alpha * beta => both = alpha
        | That is the filter: β says nothing. Without the emission b[t + 1] in it, β is all ones.
    both / both.sum(axis=1, keepdims=True) => both / both.sum(axis=0, keepdims=True)
        | Each row, one time, must sum to one.
    both / both.sum(axis=1, keepdims=True) => both | Divide each row by its sum.
    range(T - 2, -1, -1) => range(T - 2, 0, -1) | The backward pass goes down to the first time.
    """],
    start="Which pass begins with the start law, and which one with ones?",
    hints=["α₀ = start · b₀; β at the end is 1.",
           "alpha[t] = (alpha[t-1] @ A) * b[t]; beta[t] = A @ (b[t+1] * beta[t+1])."],
    right="Right. Two passes answer for all times at once.",
    explanation="One pass each way, then multiply and normalise each row.",
)  # fmt: skip


def viterbi_path(start, A, b):
    with np.errstate(divide="ignore"):
        start, A, b = np.log(start), np.log(A), np.log(b)
    delta, back = start + b[0], []
    for t in range(1, len(b)):
        ways = delta[:, None] + A
        back.append(ways.argmax(axis=0))
        delta = ways.max(axis=0) + b[t]
    path = [int(delta.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


def _states_one_by_one(start, A, b):
    return smooth_all(start, A, b).argmax(axis=1)


def _states_so_far(start, A, b):
    belief, path = start * b[0], []
    for t in range(len(b)):
        belief = belief if t == 0 else (belief @ A) * b[t]
        belief = belief / belief.sum()
        path.append(int(belief.argmax()))
    return path


def _greedy(start, A, b):
    path = [int((start * b[0]).argmax())]
    for look in b[1:]:
        path.append(int((A[path[-1]] * look).argmax()))
    return path


def _without_logarithms(start, A, b):
    delta, back = start * b[0], []
    for look in b[1:]:
        ways = delta[:, None] * A
        back.append(ways.argmax(axis=0))
        delta = ways.max(axis=0) * look
    path = [int(delta.argmax())]
    for came in reversed(back):
        path.append(int(came[path[-1]]))
    return path[::-1]


def _step_too_early(start, A, b):
    return viterbi_path(start @ A, A, b)


def _best_ends(start, A, b):
    with np.errstate(divide="ignore"):
        start, A, b = np.log(start), np.log(A), np.log(b)
    delta = start + b[0]
    path = [int(delta.argmax())]
    for look in b[1:]:
        delta = (delta[:, None] + A).max(axis=0) + look
        path.append(int(delta.argmax()))
    return path


def _so_far_unscaled(start, A, b):
    alpha = start * b[0]
    path = [int(alpha.argmax())]
    for look in b[1:]:
        alpha = (alpha @ A) * look
        path.append(int(alpha.argmax()))
    return path


def _memory_of_the_best(start, A, b):
    with np.errstate(divide="ignore"):
        start, A, b = np.log(start), np.log(A), np.log(b)
    delta, path = start + b[0], []
    for look in b[1:]:
        ways = delta[:, None] + A
        delta = ways.max(axis=0) + look
        path.append(int(ways.argmax(axis=0)[delta.argmax()]))
    return [*path, int(delta.argmax())]


def _start_at_each_look(start, A, b):
    return (start * b).argmax(axis=1)


def _looks_alone(start, A, b):
    return b.argmax(axis=1)


SHUT = np.array([[0.75, 0.25, 0.0], [0.4, 0.1, 0.5], [0.0, 0.3, 0.7]])
CALLS = np.array([[0.2, 0.33, 0.6], [0.6, 0.34, 0.2], [0.6, 0.34, 0.2], [0.2, 0.33, 0.6], [0.2, 0.33, 0.6]])
NOTHING_SEEN = np.ones((2, 3))
ONE_WAY = np.array([[0.6, 0.4], [0.0, 1.0]])
AGAINST_IT = np.repeat([[1e-6, 1.0], [1.0, 1e-6]], [45, 50], axis=0)  # a zero must outweigh every look
LONG_LOOKS = np.tile(np.array([[0.002, 0.001], [0.001, 0.003], [0.0005, 0.001]]), (60, 1))

task("31.2", "The best path",
    viterbi_path,
    cases=[
        (np.array([0.3, 0.7]), FOG, np.array([[0.7, 0.1], [0.3, 0.9]])),
        (np.array([0.4, 0.3, 0.3]), np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 1.0, 0]]), NOTHING_SEEN),
        (np.array([0.5, 0.2, 0.3]), SHUT, CALLS),
        (np.array([0.1, 0.6, 0.3]), ROOMS, THREE_WAYS),
        (np.array([0.5, 0.5]), FOG, LONG_LOOKS),
        (np.array([0.2, 0.3, 0.5]), ROOMS, THREE_WAYS[:1]),
        (np.array([0.05, 0.95]), FOG, np.array([[0.7, 0.2], [0.5, 0.5]])),
        (np.array([0.9, 0.1]), FOG, np.array([[0.3, 0.9], [0.5, 0.4], [0.5, 0.5]])),
        (np.array([0.5, 0.5]), ONE_WAY, AGAINST_IT),
        (np.array([0.6, 0.4]), np.array([[0.2, 0.8], [0.7, 0.3]]), np.array([[0.5, 0.6], [0.9, 0.2], [0.3, 0.4]])),
    ],
    what="The path",
    slips=[
        (_states_one_by_one, "Those are the most likely states one by one. As a path they may even be impossible."),
        (_states_so_far, "Those are the states that the filter finds most likely, one by one. Keep whole ways."),
        (_greedy, "You take the best step each time. A way that begins worse may end better: keep one for each state."),
        (_step_too_early, "The chain steps before the first look. The first look belongs to the first state."),
        (_so_far_unscaled, "Those are the states that the filter finds most likely, one by one. Keep whole ways."),
        (_best_ends, "You take the best end at each time. These are ends of different ways: go back along one."),
        (_memory_of_the_best, "You remember one state a time. Remember for *each* state from where its best way came."),
        (_start_at_each_look, "You weigh every look by the start law. After the first one the chain takes its place."),
        (_looks_alone, "Those are the states that explain each look best. Start law and chain are missing."),
        (_without_logarithms, "On a long record your products become 0, and all ways look alike. Add logarithms."),
        """
    ways.max(axis=0) + b[t] => np.logaddexp.reduce(ways, axis=0) + b[t]
        | You add up the ways, as the filter does. δ keeps the best one into each state: the maximum.
    np.log(start), np.log(A), np.log(b) => (np.log(np.maximum(p, 1e-12)) for p in (start, A, b))
        | You replaced zeros by small numbers. What is impossible stays so: ln 0 is minus infinity.
    start + b[0], [] => b[0], [] | The start law is missing: the first state has a probability of its own.
    ways = delta[:, None] + A => ways = delta[None, :] + A
        | For each new state the maximum runs over the old ones, from which one may come: the other axis.
    ways.max(axis=0) + b[t] => ways.max(axis=0) | The look at time t is missing in δ.
    delta, back = start + b[0], [] => delta, back = start, [] | The first look is missing.
    return path[::-1] => return path | You found it backwards: turn it round.
    path = [int(delta.argmax())] => path = [int(delta.argmin())] | The path ends in the state with the largest δ.
    int(came[path[-1]]) => int(came.argmax()) | Go back from the state in which you are: came[path[-1]].
    int(came[path[-1]]) => int(came[path[0]])
        | You look up the end state at every time. Go back from the state in which you are.
    path = [int(delta.argmax())] => path = [0] | The path ends in the state with the largest δ, not always in the first.
    reversed(back) => back | Go back from the end: the last memory comes first.
    ways = delta[:, None] + A => ways = delta[:, None] + A.T | You use the transposed matrix: A[i, j] leads from i to j.
    ways.max(axis=0) + b[t] => ways.max(axis=0) + b[t - 1] | δ at time t takes the look of time t, not the one before.
    ways.argmax(axis=0) => ways.argmin(axis=0) | Remember from where the *best* way came: the largest.
    return path[::-1] => return [state + 1 for state in path[::-1]] | States are numbered from 0.
    return path[::-1] => return path[::-1][1:] | The first state is missing.
    return path[::-1] => return path[::-1][:-1] | The last state is missing.
    return path[::-1] => return [path[0]] * len(path) | The path may change its state: go back step by step.
    ways = delta[:, None] + A => ways = delta[:, None] * A | Logarithms add where probabilities multiply.
    ways = delta[:, None] + A => ways = delta[:, None] + A + b[t] | The look at time t counts twice in δ.
    ways.argmax(axis=0) => ways.argmin(axis=0) ;; ways.max => ways.min ;; delta.argmax() => delta.argmin()
        | That is the *least* likely path. Take the largest of the logarithms: the nearest to zero.
    """],
    start="What must be remembered at each step so that one can go back?",
    hints=["For each state: from which state the best way came.",
           "ways = delta[:, None] + log A; argmax and max over axis 0."],
    right="Right. Sums became maxima, and a memory was added.",
    explanation="Keep δ and the state from which each maximum came; at the end follow the memory backwards.",
)  # fmt: skip


def new_parameters(gamma, xi, z, n_symbols):
    start = gamma[0]
    A = xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None]
    seen = np.eye(n_symbols)[z]
    B = gamma.T @ seen / gamma.sum(axis=0)[:, None]
    return start, A, B


def _posteriors(start, A, B, z):
    """Return gamma and xi of a small model, for the cases."""
    b = B[:, z].T
    alpha, beta = np.zeros(b.shape), np.ones(b.shape)
    alpha[0] = start * b[0]
    for t in range(1, len(z)):
        alpha[t] = (alpha[t - 1] @ A) * b[t]
    for t in range(len(z) - 2, -1, -1):
        beta[t] = A @ (b[t + 1] * beta[t + 1])
    xi = alpha[:-1, :, None] * A * (b * beta)[1:, None, :]
    both = alpha * beta
    return both / both.sum(axis=1, keepdims=True), xi / xi.sum(axis=(1, 2), keepdims=True)


FEW, MORE = np.array([0, 0, 1, 0, 0]), np.array([2, 0, 1, 1, 2, 0, 2])
B_FOG = np.array([[0.7, 0.3], [0.1, 0.9]])
B_ROOMS = np.array([[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.05, 0.15, 0.8]])


def _moves_of_hard_states(gamma, xi, z, n_symbols):
    start, _, B = new_parameters(gamma, xi, z, n_symbols)
    x = np.eye(gamma.shape[1])[gamma.argmax(axis=1)]
    return start, x[:-1].T @ x[1:] / x[:-1].sum(axis=0).clip(1)[:, None], B


task("31.3", "One M-step",
    new_parameters,
    cases=[
        (*_posteriors(np.array([0.3, 0.7]), FOG, B_FOG, FEW), FEW, 2),
        (*_posteriors(np.array([0.1, 0.6, 0.3]), ROOMS, B_ROOMS, MORE), MORE, 3),
        (*_posteriors(np.array([0.5, 0.5]), UMBRELLA, B_FOG, FEW[:3]), FEW[:3], 2),
        (*_posteriors(np.array([0.3, 0.7]), FOG, B_FOG, FEW), FEW, 4),
    ],
    what="The M-step", names="start, A, B",
    slips=[
        (_moves_of_hard_states, "You count moves between the most likely states. Expected moves are sums of ξ."),
        """
    xi.sum(axis=(0, 2))[:, None] => gamma.sum(axis=0)[:, None]
        | Divide by the moves out of each state: the last time has none. Sum γ over t < T only.
    xi.sum(axis=(0, 2))[:, None] => xi.sum(axis=(0, 1))[:, None] | Divide each row by the moves that *leave* the state.
    xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None] => xi.mean(axis=0)
        | That is the joint probability of a move. Divide each row by its sum.
    start = gamma[0] => start = gamma.sum(axis=0) | The start law is that of the first time alone, not a sum over times.
    start = gamma[0] => start = gamma.mean(axis=0) | The start law is that of the first time alone.
    start = gamma[0] => start = gamma[-1] | The start law is that of the first time.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma.T @ seen / len(z)
        | Divide by the expected visits of each state, not by T.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma.T @ seen / xi.sum(axis=(0, 2))[:, None]
        | Emissions count every visit, the last time as well.
    return start, A, B => return A, B, start | The order is start, A, B.
    return start, A, B => return start, B, A | The order is start, A, B.
    return start, A, B => return start, A, B.T | B has a row for each state, a column for each symbol: turn it.
    return start, A, B => return start, A.T, B | A[i, j] leads from i to j: rows are where one comes from. Turn it.
    xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None] => xi.sum(axis=0)
        | Those are the expected moves. Divide each row by the expected departures of its state.
    xi.sum(axis=(0, 2))[:, None] => xi.sum(axis=(0, 2))
        | Row i must be divided by the departures of i: yours divides columns.
    xi.sum(axis=(0, 2))[:, None] => xi.sum(axis=(0, 1))
        | Each row of A must sum to one, not each column.
    xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None] => (xi / xi.sum(axis=2, keepdims=True)).mean(axis=0)
        | You divide at each time, then average. Add up first, then divide: likely visits count more.
    start = gamma[0] => start = xi[0].sum(axis=0) | That is the law of the second time.
    start = gamma[0] => start = np.eye(len(gamma[0]))[gamma[0].argmax()]
        | You give the start to its most likely state. The start law keeps all shares: γ at the first time.
    xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None] => gamma[:-1].T @ gamma[1:] / gamma[:-1].sum(axis=0)[:, None]
        | You multiply two single beliefs, as if neighbours in time were independent. ξ is their joint belief.
    xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None] => (xi.sum(axis=0) + 1) / (xi.sum(axis=0) + 1).sum(axis=1)[:, None]
        | You added pseudo-counts to A. (31.14) takes the expected counts as they are.
    xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None] => xi[-1] / xi[-1].sum(axis=1)[:, None]
        | That is the last move alone. Add up ξ over all times.
    xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None] => xi[0] / xi[0].sum(axis=1)[:, None]
        | That is the first move alone. Add up ξ over all times.
    xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None] => xi.max(axis=0) / xi.max(axis=0).sum(axis=1)[:, None]
        | You take the largest ξ. Expected counts are sums over time.
    xi.sum(axis=0) / xi.sum(axis=(0, 2))[:, None] => xi[1:].sum(axis=0) / xi[1:].sum(axis=(0, 2))[:, None]
        | The first move is missing in A: ξ has one entry for each move already.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => (gamma.T @ seen + 1) / (gamma.T @ seen + 1).sum(axis=1)[:, None]
        | You added pseudo-counts to B. (31.14) takes the expected counts as they are.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma.T @ seen / np.linalg.norm(gamma.T @ seen, axis=1)[:, None]
        | You divide by the length of each row. A law sums to one: divide by the sum.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma.T @ np.roll(seen, -1, axis=1) / gamma.sum(axis=0)[:, None]
        | Symbols are numbered from 0: column k belongs to z = k.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma.T @ seen / seen.sum(axis=0).clip(1)
        | You divide by how often each symbol was seen. Divide by the expected visits: each row of B sums to one.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma.T @ seen
        | Those are expected counts. Divide each row by the expected visits of its state.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma.T @ seen / seen.sum(axis=0)
        | You divide by how often each symbol was seen. Divide by the expected visits: each row of B sums to one.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma[:-1].T @ seen[:-1] / gamma[:-1].sum(axis=0)[:, None]
        | The last look is missing in B: emissions count every visit, the last one as well.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => gamma[1:].T @ seen[1:] / gamma[1:].sum(axis=0)[:, None]
        | The first look is missing in B: emissions count every visit.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] => np.tile(seen.mean(axis=0), (gamma.shape[1], 1))
        | Those are the shares of the symbols in the whole record. Weigh each look by how likely the state was then.
    gamma.T @ seen / gamma.sum(axis=0)[:, None] =>
        np.eye(gamma.shape[1])[gamma.argmax(axis=1)].T @ seen / np.eye(gamma.shape[1])[gamma.argmax(axis=1)]
        .sum(axis=0).clip(1)[:, None]
        | You give each time to its most likely state. A state that is less likely keeps its share γ.
    seen = np.eye(n_symbols)[z] => seen = np.eye(max(z) + 1)[z]
        | A symbol that was not seen has a column, too: B has n_symbols of them.
    """],
    start="Which sum of ξ is the expected number of moves from i to j?",
    hints=["A: expected moves over expected departures.", "np.eye(n_symbols)[z] says which symbol was seen when."],
    right="Right. The same shares as in counting, of expected counts.",
    explanation="start = γ₁; A = Σξ divided by its row sums; B = weighted shares of the symbols.",
)  # fmt: skip


def log_likelihood(start, A, b):
    predicted, total = np.asarray(start, dtype=float), 0.0
    for look in b:
        weighed = predicted * look
        c = weighed.sum()
        total += np.log(c)
        predicted = (weighed / c) @ A
    return total


def _unscaled(start, A, b):
    alpha = start * b[0]
    for look in b[1:]:
        alpha = (alpha @ A) * look
    return float(np.log(alpha.sum())) if alpha.sum() > 0 else -np.inf


def _of_the_best_path(start, A, b):
    with np.errstate(divide="ignore"):
        start, A, b = np.log(start), np.log(A), np.log(b)
    delta = start + b[0]
    for look in b[1:]:
        delta = (delta[:, None] + A).max(axis=0) + look
    return float(delta.max())


task("31.4", "Three thousand looks",
    log_likelihood,
    cases=[
        (np.array([0.3, 0.7]), FOG, np.array([[0.7, 0.1], [0.7, 0.1]])),
        (np.array([0.1, 0.6, 0.3]), ROOMS, THREE_WAYS),
        (np.array([0.3, 0.7]), FOG, np.tile(LOPSIDED, (600, 1))),
        (np.array([1.0, 0.0]), FOG, LOPSIDED[2:]),
    ],
    what="The log-likelihood",
    slips=[
        (_unscaled, "On 3,000 looks your numbers become 0. Normalise at each step, and keep the constants."),
        (_of_the_best_path, "That is the probability of the best path alone. The likelihood sums over all paths."),
        """
    total += np.log(c) => total += c ;; return total => return np.log(total)
        | That is the logarithm of a sum. The constants multiply, so their logarithms add.
    return total => return total - np.log((start * b[0]).sum())
        | The first constant is missing: the first look, too, divides the belief by its c.
    for look in b: => for look in b[1:]: | The first look is missing: weigh the start law by it.
    total += np.log(c) => total += c | Add the logarithms of the constants: they multiply.
    total += np.log(c) => total = np.log(c) | Keep all constants: their logarithms add up.
    (weighed / c) @ A => A @ (weighed / c) | Predict with belief @ A: the sum runs over where one comes from.
    (weighed / c) @ A => weighed / c
        | Between two looks the chain takes a step. It is missing, or it sums over where one goes to: rows sum to one.
    total += np.log(c) => total -= np.log(c) | The logarithms of probabilities are negative: add them as they are.
    for look in b: => for look in b[:-1]: | The last look is missing.
    np.asarray(start, dtype=float), 0.0 => np.asarray(start, dtype=float) @ A, 0.0
        | The chain steps before the first look. The first look belongs to the first state.
    np.asarray(start, dtype=float), 0.0 => np.asarray(start, dtype=float) @ A, 0.0 ;; in b: => in b[1:]:
        | The first look is missing: weigh the start law by it, before any step of the chain.
    np.asarray(start, dtype=float), 0.0 => np.ones(len(start)) / len(start), 0.0
        | The start law is missing: the first look is weighed by it.
    np.asarray(start, dtype=float), 0.0 => np.ones(len(start)), 0.0
        | The start law is missing: the first look is weighed by it.
    predicted = (weighed / c) @ A => predicted = predicted @ A
        | The looks are forgotten: predict from the belief after the look, not from the one before it.
    predicted = (weighed / c) @ A => predicted = weighed @ A
        | Divide by c before you go on: now the early constants are counted again at every later look.
    predicted = (weighed / c) @ A => predicted = np.asarray(start, dtype=float)
        | Each look starts anew from the start law. Predict from the belief after the look.
    c = weighed.sum() => c = weighed.max() | The constant is the sum over the states, not the largest entry.
    c = weighed.sum() => c = weighed.mean() | The constant is the sum over the states, not the mean.
    c = weighed.sum() => c = look.sum() | The constant is the sum of prediction times look, not of the look alone.
    weighed = predicted * look => weighed = predicted + look | Prediction and look multiply.
    return total => return total / len(b) | That is the mean a look. Asked is the sum.
    return total => return -2 * total | That is the deviance -2 ln P. Asked is ln P.
    return total => return 2 * total | That is twice the log-likelihood.
    total += np.log(c) => total += np.log((weighed / c).max())
        | That adds the beliefs' logarithms. The fit is in what one divides by: take the constants.
    return total => return np.exp(total) | That is the probability, which vanishes on long records. Keep the logarithm.
    return total => return c | That is the last constant. The logarithms of all of them add up.
    total += np.log(c) => total += np.log10(c) | Natural logarithms are wanted, not those to the base 10.
    total += np.log(c) => total += np.log2(c) | Natural logarithms are wanted, not those to the base 2.
    total += np.log(c) => total += np.log(weighed).sum()
        | First the sum over the states, then the logarithm: a logarithm of each entry loses the sum.
    """],
    start="What becomes of the constant by which a belief is divided?",
    hints=["ln P(z) = Σ ln c.", "c = (predicted * look).sum(); then divide, then predict."],
    right="Right. 3,000 looks or 3,000,000: the beliefs always sum to one.",
    explanation="Normalise at each step and add up the logarithms of the constants.",
)  # fmt: skip
