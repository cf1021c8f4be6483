"""The data sets are the published ones, and the synthetic ones are what they say."""

import doctest
import hashlib
import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn import datasets as sklearn_datasets
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from mlteach import datasets

NUMERIC = ["iris", "wine", "breast_cancer", "digits", "diabetes"]
COUNTS = ["horse_kicks", "coal_disasters", "earthquakes"]
REAL = [*NUMERIC, *COUNTS, "hald", "play_tennis", "restaurant", "news"]
SYNTHETIC = ["noisy_sine", "blobs", "moons", "rings", "xor"]


def load(name):
    return getattr(datasets, name)()


def oracle(name):
    return getattr(sklearn_datasets, f"load_{name}")(**({"scaled": False} if name == "diabetes" else {}))


def entropy(y):
    p = np.unique(y, return_counts=True)[1] / len(y)
    return -np.sum(p * np.log2(p))


def gain(data, attribute):
    column = data.X[:, data.feature_names.index(attribute)]
    rest = sum(np.mean(column == v) * entropy(data.y[column == v]) for v in set(column))
    return entropy(data.y) - rest


def listed_files():
    """File name -> (rows, columns, sha256), from the table in data/README.md."""
    row = r"^\| `(\w+\.csv)` \| (\d+) \| (\d+) \|.*\| `([0-9a-f]{64})` \|$"
    text = (datasets.DATA / "README.md").read_text(encoding="utf-8")
    return {name: (int(n), int(d), digest) for name, n, d, digest in re.findall(row, text, re.MULTILINE)}


# --- Real data ---------------------------------------------------------------


def test_readme_lists_every_file_with_its_size_and_checksum():
    listed = listed_files()
    assert set(listed) == {path.name for path in datasets.DATA.glob("*.csv")} == {f"{name}.csv" for name in REAL}
    for name, (n, columns, digest) in listed.items():
        content = (datasets.DATA / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest, name
        data = load(name.removesuffix(".csv"))
        assert (n, columns) == (len(data.y), len(data.feature_names) + 1)


@pytest.mark.parametrize("name", NUMERIC)
def test_equals_scikit_learn(name):
    data, truth = load(name), oracle(name)
    # scikit-learn 1.6 reads eleven numbers of diabetes, such as 4.804, as the double next to the nearest one
    np.testing.assert_array_max_ulp(data.X, truth.data, maxulp=1 if name == "diabetes" else 0)
    np.testing.assert_array_equal(data.y, truth.target)
    assert data.feature_names == tuple(truth.feature_names)
    assert data.X.dtype == float
    assert data.y.dtype.kind == ("f" if name == "diabetes" else "i")


@pytest.mark.parametrize(
    ("name", "shape", "counts"),
    [
        ("iris", (150, 4), {"setosa": 50, "versicolor": 50, "virginica": 50}),
        ("wine", (178, 13), {"cultivar 1": 59, "cultivar 2": 71, "cultivar 3": 48}),
        ("breast_cancer", (569, 30), {"malignant": 212, "benign": 357}),
        ("digits", (1797, 64), dict(zip("0123456789", [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]))),
        ("play_tennis", (14, 4), {"No": 5, "Yes": 9}),
        ("restaurant", (12, 10), {"No": 6, "Yes": 6}),
        ("news", (165,), dict.fromkeys(["business", "entertainment", "news", "sports", "weather"], 33)),
    ],
)
def test_shapes_and_class_counts(name, shape, counts):
    data = load(name)
    labels = [data.target_names[k] for k in data.y] if data.y.dtype.kind == "i" else data.y.tolist()
    assert data.X.shape == shape
    assert data.y.shape == shape[:1]
    assert {label: labels.count(label) for label in data.target_names} == counts


def test_iris_follows_fishers_paper_in_the_two_disputed_flowers():
    X = datasets.iris().X
    assert X[34].tolist() == [4.9, 3.1, 1.5, 0.2]
    assert X[37].tolist() == [4.9, 3.6, 1.4, 0.1]


def test_diabetes_has_original_units():
    data = datasets.diabetes()
    assert data.X[0].tolist() == [59, 2, 32.1, 101, 157, 93.2, 38, 4, 4.8598, 87]
    assert (data.y.min(), data.y.max()) == (25, 346)
    assert data.target_names == ("progression",)


def test_horse_kicks_are_von_bortkiewicz_s():
    data = datasets.horse_kicks()
    assert data.X.shape == (280, 2)
    assert np.unique(data.X[:, 0]).tolist() == list(range(1875, 1895))
    assert data.y.sum() == 196
    usual = ~np.isin(data.X[:, 1], [0, 1, 6, 11])
    assert np.bincount(data.y[usual]).tolist() == [109, 65, 22, 3, 1]  # the table of most textbooks


def test_coal_disasters_are_jarretts():
    data = datasets.coal_disasters()
    published = (  # by decade
        "54104340 6334026335 4531441553 4252234213 2211113001 0110031032 2011101010 0021000110"
        " 2331121111 2330001400 0100000100 10"
    ).replace(" ", "")
    assert data.X[:, 0].tolist() == list(range(1852, 1962))
    assert data.y.tolist() == [int(digit) for digit in published]


def test_earthquakes_are_zucchini_and_macdonald_s():
    data = datasets.earthquakes()
    assert data.X[:, 0].tolist() == list(range(1900, 2007))
    assert (round(data.y.mean(), 2), round(data.y.var(ddof=1), 2)) == (19.36, 51.57)  # as the textbook prints them
    assert (data.y.min(), data.y.max(), data.y[:5].tolist(), data.y[-3:].tolist()) == (
        6, 41, [13, 14, 8, 10, 16], [16, 11, 11],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("attribute", "expected"), [("Outlook", 0.2467), ("Humidity", 0.1518), ("Wind", 0.0481), ("Temperature", 0.0292)]
)
def test_information_gain_on_play_tennis(attribute, expected):
    data = datasets.play_tennis()
    assert entropy(data.y) == pytest.approx(0.9403, abs=5e-5)
    assert gain(data, attribute) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [("Alternate", 0), ("Bar", 0), ("Fri/Sat", 0.020721), ("Hungry", 0.195710), ("Patrons", 0.540852),
     ("Price", 0.195710), ("Raining", 0.020721), ("Reservation", 0.020721), ("Type", 0), ("WaitEstimate", 0.207519)],
)  # fmt: skip
def test_information_gain_on_restaurant(attribute, expected):
    assert gain(datasets.restaurant(), attribute) == pytest.approx(expected, abs=5e-7)


def would_wait(example):
    """Russell and Norvig's own tree for the restaurant."""
    if example["Patrons"] != "Full":
        return example["Patrons"] == "Some"
    if example["WaitEstimate"] == "30-60":
        if example["Alternate"] == "Yes":
            return example["Fri/Sat"] == "Yes"
        return "Yes" in (example["Reservation"], example["Bar"])
    if example["WaitEstimate"] == "10-30":
        return "No" in (example["Hungry"], example["Alternate"]) or example["Raining"] == "Yes"
    return example["WaitEstimate"] == "0-10"


def test_the_books_tree_needs_rain_in_example_4():
    data = datasets.restaurant()

    def errors():
        answers = [would_wait(dict(zip(data.feature_names, row))) for row in data.X]
        return [i + 1 for i, (answer, truth) in enumerate(zip(answers, data.y)) if answer != (truth == "Yes")]

    assert errors() == []
    data.X[3, data.feature_names.index("Raining")] = "No"
    assert errors() == [4]


@pytest.mark.parametrize("name", ["play_tennis", "restaurant"])
def test_categories_are_strings(name):
    data = load(name)
    assert data.X.dtype == object
    assert all(type(value) is str for value in data.X.ravel())
    assert data.target_names == ("No", "Yes")


def test_news_sentences():
    data = datasets.news()
    lengths = [len(text.split()) for text in data.X]
    assert len({text.lower() for text in data.X}) == 165
    assert 8 <= min(lengths)
    assert max(lengths) <= 16
    assert all(text[0].isupper() and text.endswith(".") and text.isascii() for text in data.X)


@pytest.mark.parametrize("word", ["fans", "storm", "share|shares", "court", "season", "strike", "record"])
def test_news_words_serve_several_classes(word):
    data = datasets.news()
    used = {y for text, y in zip(data.X, data.y) if re.search(rf"\b({word})\b", text.lower())}
    assert len(used) >= 2


@pytest.mark.slow
def test_news_can_be_learned_but_not_perfectly():
    data = datasets.news()
    model = make_pipeline(CountVectorizer(), MultinomialNB())
    assert 0.75 < cross_val_score(model, data.X, data.y, cv=LeaveOneOut()).mean() < 0.95


# --- All of them -------------------------------------------------------------


@pytest.mark.parametrize("name", REAL + SYNTHETIC)
def test_every_call_returns_its_own_arrays(name):
    first, second = load(name), load(name)
    expected = second.X.copy(), second.y.copy()
    first.X[:], first.y[:] = first.X[::-1].copy(), first.y[0]
    for data in (second, load(name)):
        np.testing.assert_array_equal(data.X, expected[0])
        np.testing.assert_array_equal(data.y, expected[1])
    assert not np.array_equal(first.y, expected[1])


@pytest.mark.parametrize("name", REAL + SYNTHETIC)
def test_repr_is_one_short_line_and_description_says_something(name):
    data = load(name)
    assert data.name == name
    assert repr(data).startswith(f"Dataset({name}: X {data.X.shape}")
    assert "\n" not in repr(data)
    assert len(repr(data)) <= 120
    assert data.description.endswith(".")
    assert len(data.feature_names) == (data.X.shape[1] if data.X.ndim == 2 else 1)


@pytest.mark.parametrize("name", ["iris", "wine", "breast_cancer", "digits", "diabetes", "news"])
def test_description_names_the_licence(name):
    assert ("BSD-3" if name == "diabetes" else "CC BY 4.0") in load(name).description


def test_missing_data_folder_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(datasets, "DATA", tmp_path)
    datasets._read.cache_clear()
    with pytest.raises(FileNotFoundError, match=r"play_tennis.csv is missing.*pip install ."):
        datasets.play_tennis()


def test_doctests():
    assert doctest.testmod(datasets).failed == 0


def test_import_is_light():
    code = "import mlteach.datasets, sys; print(sorted({'scipy', 'matplotlib', 'sklearn'} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


# --- Synthetic data ----------------------------------------------------------


@pytest.mark.parametrize("name", SYNTHETIC)
def test_seed_decides(name):
    make = getattr(datasets, name)
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    a, b, c, d = make(rng=3), make(rng=3), make(rng=np.random.default_rng(3)), make(rng=4)
    np.testing.assert_array_equal(a.X, b.X)
    np.testing.assert_array_equal(a.y, b.y)
    np.testing.assert_array_equal(a.X, c.X)
    np.testing.assert_array_equal(a.y, c.y)
    assert not (np.array_equal(a.X, d.X) and np.array_equal(a.y, d.y))
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002


@pytest.mark.parametrize("name", SYNTHETIC[1:])
@pytest.mark.parametrize("n", [5, 60, 61])
def test_any_run_of_rows_is_balanced(name, n):
    data = getattr(datasets, name)(n)
    assert len(data.X) == len(data.y) == n
    counts = np.bincount(data.y)
    assert counts.max() - counts.min() <= 1
    assert len(counts) == len(data.target_names)


def test_noisy_sine_reproduces_the_curriculums_example():
    data = datasets.noisy_sine(n=10, noise=0.3, rng=5)
    x = np.linspace(0, 1, 10)
    np.testing.assert_array_equal(data.X[:, 0], x)
    np.testing.assert_array_equal(data.y, np.sin(2 * np.pi * x) + np.random.default_rng(5).normal(0, 0.3, 10))
    for M, expected in {0: 2.730488, 1: 2.353061, 3: 0.266778, 9: 0}.items():
        Phi = np.vander(x, M + 1)
        w = np.linalg.lstsq(Phi, data.y, rcond=None)[0]
        assert np.sum((Phi @ w - data.y) ** 2) / 2 == pytest.approx(expected, abs=5e-7)


def test_noisy_sine_off_the_grid():
    data = datasets.noisy_sine(50, noise=0, grid=False, rng=1)
    x = data.X[:, 0]
    assert (np.diff(x) > 0).all()
    assert np.diff(x).std() > 0.001
    assert x.min() >= 0
    assert x.max() <= 1
    np.testing.assert_allclose(data.y, np.sin(2 * np.pi * x))


def test_noisy_sine_has_the_noise_it_says():
    data = datasets.noisy_sine(20_000, noise=0.3)
    assert np.std(data.y - np.sin(2 * np.pi * data.X[:, 0])) == pytest.approx(0.3, rel=0.02)


def test_blobs_have_the_centres_and_spreads_they_say():
    centers, spread = np.array([[0, 0, 1], [5, -2, 3]]), [0.5, 2]
    data = datasets.blobs(20_000, centers, spread)
    assert data.feature_names == ("x1", "x2", "x3")
    for k in range(2):
        np.testing.assert_allclose(data.X[data.y == k].mean(axis=0), centers[k], atol=0.06)
        np.testing.assert_allclose(data.X[data.y == k].std(axis=0), spread[k], rtol=0.03)


def test_default_blobs_lie_apart():
    data = datasets.blobs()
    means = np.array([data.X[data.y == k].mean(axis=0) for k in range(3)])
    gaps = [np.linalg.norm(means[i] - means[j]) for i in range(3) for j in range(i)]
    assert min(gaps) > 3
    assert max(gaps) > 1.2 * min(gaps)


def test_moons_without_noise_are_half_circles():
    data = datasets.moons(80, noise=0)
    upper, lower = data.X[data.y == 0], data.X[data.y == 1]
    np.testing.assert_allclose(np.linalg.norm(upper, axis=1), 1)
    np.testing.assert_allclose(np.linalg.norm(lower - [1, 0.5], axis=1), 1)
    assert (upper[:, 1] >= 0).all()
    assert (lower[:, 1] <= 0.5).all()


def test_rings_without_noise_are_circles():
    data = datasets.rings(90, noise=0, radii=(0.5, 2, 4))
    np.testing.assert_allclose(np.linalg.norm(data.X, axis=1), np.array([0.5, 2, 4])[data.y])


def test_default_rings_and_xor_separate_in_their_own_coordinates_only():
    rings, xor = datasets.rings(), datasets.xor()
    assert np.mean((np.linalg.norm(rings.X, axis=1) > 2) == rings.y) == 1
    assert np.mean((np.prod(xor.X - 0.5, axis=1) < 0) == xor.y) > 0.98
    for data in (rings, xor):
        Phi = np.column_stack([np.ones(len(data.X)), data.X])
        w = np.linalg.lstsq(Phi, data.y, rcond=None)[0]
        assert np.mean((Phi @ w > 0.5) == data.y) < 0.65


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("noisy_sine", {"n": 0}, "n must be at least 1; got 0"),
        ("noisy_sine", {"n": 2.5}, "n must be a whole number"),
        ("noisy_sine", {"noise": -0.1}, "noise must be at least 0"),
        ("noisy_sine", {"noise": np.nan}, "noise must be a finite number"),
        ("noisy_sine", {"grid": "no"}, "grid must be one of True, False; got 'no'"),
        ("blobs", {"n": 2}, "n must be at least 3; got 2"),
        ("blobs", {"centers": 0}, "centers must be at least 1"),
        ("blobs", {"centers": "three"}, "centers must be a whole number"),
        ("blobs", {"centers": [1, 2]}, r"centers must have shape"),
        ("blobs", {"centers": [[0, np.inf]]}, "centers must be finite"),
        ("blobs", {"spread": -1}, "spread must be at least 0; got -1"),
        ("blobs", {"spread": [1, -2, 1]}, "spread must be at least 0; got -2"),
        ("blobs", {"spread": [1, 2]}, "spread must have one entry per row of centers"),
        ("blobs", {"spread": None}, "spread must be a finite number; got None"),
        ("moons", {"n": 1}, "n must be at least 2"),
        ("moons", {"noise": "a lot"}, "noise must be a finite number; got 'a lot'"),
        ("rings", {"n": 2, "radii": (1, 2, 3)}, "n must be at least 3"),
        ("rings", {"radii": (1, -3)}, "radii must be at least 0; got -3"),
        ("rings", {"radii": ()}, "radii is empty"),
        ("rings", {"radii": 2}, r"radii must have shape \(n,\)"),
        ("xor", {"n": 3}, "n must be at least 4"),
        ("xor", {"noise": np.inf}, "noise must be a finite number"),
    ],
)
def test_bad_arguments(name, arguments, message):
    with pytest.raises(ValueError, match=message):
        getattr(datasets, name)(**arguments)


@pytest.mark.parametrize("name", SYNTHETIC)
@pytest.mark.parametrize("rng", [-1, 0.5, None, "0"])
def test_bad_seed(name, rng):
    with pytest.raises(ValueError, match="rng must be"):
        getattr(datasets, name)(rng=rng)


def test_all_names_the_data_and_nothing_else():
    own = {n for n, thing in vars(datasets).items() if getattr(thing, "__module__", None) == datasets.__name__}
    assert set(datasets.__all__) == {name for name in own if not name.startswith("_")}
