"""The course's data: real sets read from ``data/``, and synthetic ones drawn from a seed.

Every function returns a fresh ``Dataset``: its arrays may be changed freely, the next call brings the originals.
``data/README.md`` has the source, licence and checksum of each file.
"""

import csv
from dataclasses import dataclass
from functools import cache

import numpy as np

from mlteach.course import DATA
from mlteach.validation import as_matrix, as_rng, as_vector, check_choice, check_integer, check_number

__all__ = [
    "Dataset",
    "blobs",
    "breast_cancer",
    "coal_disasters",
    "diabetes",
    "digits",
    "earthquakes",
    "hald",
    "horse_kicks",
    "iris",
    "moons",
    "news",
    "noisy_sine",
    "play_tennis",
    "restaurant",
    "rings",
    "wine",
    "xor",
]


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Inputs ``X`` (n, d), targets ``y`` (n,) and what they mean; for texts, ``X`` has shape (n,).

    ``target_names`` holds the classes, in the order of the class numbers where ``y`` has numbers; for a
    regression it holds the one name of the target.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple[str, ...]
    target_names: tuple[str, ...]
    description: str

    def __repr__(self):
        return f"Dataset({self.name}: X {self.X.shape}, y {self.y.shape}, targets: {', '.join(self.target_names)})"


# --- Real data -------------------------------------------------------------------------------------------------


def iris():
    """Four lengths of 150 irises of three species; X (150, 4) in cm, y (150,) species 0 to 2.

    >>> iris()
    Dataset(iris: X (150, 4), y (150,), targets: setosa, versicolor, virginica)
    """
    return _classes(
        "iris",
        ("setosa", "versicolor", "virginica"),
        (
            "Fisher's irises, 50 of each species (Fisher 1936; UCI, doi:10.24432/C56C76, CC BY 4.0).\n"
            "This is scikit-learn's copy, which agrees with Fisher's paper. The file that UCI has long distributed "
            "differs in two flowers: the 35th, whose petal width is 0.2 (UCI 0.1), and the 38th, whose sepal "
            "width is 3.6 and petal length 1.4 (UCI 3.1 and 1.5)."
        ),
    )


def wine():
    """Chemical analysis of 178 Italian wines from three cultivars; X (178, 13), y (178,) cultivar 0 to 2.

    >>> np.bincount(wine().y).tolist()
    [59, 71, 48]
    """
    return _classes(
        "wine",
        ("cultivar 1", "cultivar 2", "cultivar 3"),
        (
            "Wines of one region from three cultivars (Aeberhard & Forina 1992; UCI, doi:10.24432/C5PC7J, CC BY 4.0).\n"
            "The columns have very different scales: hue is near 1, proline near 750."
        ),
    )


def breast_cancer():
    """Shapes of cell nuclei in 569 breast masses; X (569, 30), y (569,) with 0 malignant and 1 benign.

    >>> breast_cancer().target_names[0], np.bincount(breast_cancer().y).tolist()
    ('malignant', [212, 357])
    """
    return _classes(
        "breast_cancer",
        ("malignant", "benign"),
        (
            "Breast Cancer Wisconsin (Diagnostic) (Wolberg, Mangasarian, Street & Street 1993; UCI, "
            "doi:10.24432/C5DW2B, CC BY 4.0).\n"
            "Ten measurements of the nuclei in one image, each as mean, standard error and worst (mean of the three "
            "largest). As in scikit-learn, class 1 is benign, so 'positive' is the harmless outcome: mind this when "
            "you compute recall."
        ),
    )


def digits():
    """Handwritten digits of 8 x 8 pixels; X (1797, 64) with grey values 0 to 16, y (1797,) the digit.

    >>> digits().X[0].reshape(8, 8)[0].astype(int).tolist()
    [0, 0, 5, 13, 9, 1, 0, 0]
    """
    return _classes(
        "digits",
        tuple("0123456789"),
        (
            "Optical Recognition of Handwritten Digits (Alpaydin & Kaynak 1998; UCI, doi:10.24432/C50P49, CC BY 4.0).\n"
            "The 1797 images of UCI's test part, as in scikit-learn. A pixel counts the ink in a 4 x 4 square."
        ),
    )


def diabetes():
    """Ten measurements of 442 patients and the disease a year later; X (442, 10) in original units, y (442,) floats.

    >>> diabetes().feature_names[:4], float(diabetes().y[0])
    (('age', 'sex', 'bmi', 'bp'), 151.0)
    """
    header, cells = _read("diabetes")
    return Dataset(
        "diabetes",
        _floats("diabetes").copy(),
        cells[:, -1].astype(float),
        header[:-1],
        header[-1:],
        (
            "Disease progression one year after ten baseline measurements (Efron, Hastie, Johnstone & Tibshirani 2004, "
            "'Least Angle Regression', Annals of Statistics 32).\n"
            "Units as measured, not scaled: age in years, sex coded 1 and 2 (the source does not say which is which), "
            "body mass index, mean blood pressure, and six blood values: s1 total cholesterol, s2 LDL, s3 HDL, "
            "s4 total cholesterol / HDL, s5 possibly the logarithm of triglycerides, s6 glucose.\n"
            "The authors published it with the paper and named no licence; scikit-learn distributes it under BSD-3."
        ),
    )


def hald():
    """Thirteen cements and the heat of their hardening; X (13, 4) shares of four compounds in per cent, y (13,) floats.

    >>> hald().X[0].tolist(), float(hald().y[0])
    ([7.0, 26.0, 6.0, 60.0], 78.5)
    """
    header, cells = _read("hald")
    return Dataset(
        "hald",
        _floats("hald").copy(),
        cells[:, -1].astype(float),
        header[:-1],
        header[-1:],
        (
            "Heat of hardening cement, in calories per gram (Woods, Steinour & Starke 1932, Industrial and Engineering "
            "Chemistry 24; A. Hald 1952, 'Statistical Theory with Engineering Applications').\n"
            "x1 to x4 are the shares of 3CaO.Al2O3, 3CaO.SiO2, 4CaO.Al2O3.Fe2O3 and 2CaO.SiO2 in per cent. In every "
            "row they sum to between 95 and 99, so that each is nearly known from the other three."
        ),
    )


def horse_kicks():
    """Prussian cavalrymen killed by horses; X (280, 2) year and number of the corps, y (280,) deaths in that year.

    >>> np.bincount(horse_kicks().y).tolist()
    [144, 91, 32, 11, 2]
    """
    return _counts(
        "horse_kicks",
        (
            "Deaths by horse kick in 14 corps of the Prussian army, 1875 to 1894 (L. von Bortkiewicz 1898, 'Das Gesetz "
            "der kleinen Zahlen').\n"
            "The corps are numbered 0 (the Guard), then 1 to 13 for I to XI, XIV and XV. Corps 0, 1, 6 and 11 were "
            "organised differently; without them 200 corps-years remain, which most textbooks print."
        ),
    )


def coal_disasters():
    """Explosions in British coal mines that killed ten people or more; X (110, 1) year, y (110,) their number.

    >>> coal_disasters().y[:5].tolist()
    [5, 4, 1, 0, 4]
    """
    return _counts(
        "coal_disasters",
        (
            "Coal-mining disasters in Great Britain by year (Maguire, Pearson & Wynn 1952; corrected and extended by "
            "R. G. Jarrett 1979, Biometrika 66).\n"
            "The record runs from March 1851 to March 1962 and has 191 disasters; here are the 110 full years."
        ),
    )


def earthquakes():
    """Earthquakes of magnitude 7 or more in the world; X (107, 1) year, y (107,) their number.

    >>> earthquakes().y[:5].tolist()
    [13, 14, 8, 10, 16]
    """
    return _counts(
        "earthquakes",
        (
            "Earthquakes of magnitude 7 or more by year, 1900 to 2006 (W. Zucchini & I. L. MacDonald 2009, 'Hidden "
            "Markov Models for Time Series', table 1.1; from the catalogue of the US Geological Survey).\n"
            "Mean 19.4, variance 51.6: far more spread than one Poisson law allows."
        ),
    )


def play_tennis():
    """Mitchell's 14 days on which tennis was played or not; X (14, 4) strings, y (14,) "Yes" or "No".

    >>> play_tennis().X[0].tolist()
    ['Sunny', 'Hot', 'High', 'Weak']
    """
    return _categories("play_tennis", "The PlayTennis days D1 to D14 of Mitchell, Machine Learning (1997), table 3.2.")


def restaurant():
    """Twelve decisions to wait for a table or leave; X (12, 10) strings, y (12,) "Yes" or "No".

    >>> restaurant().X[3, 6]  # Raining, in the disputed row
    'Yes'
    """
    return _categories(
        "restaurant",
        (
            "The restaurant examples of Russell & Norvig, Artificial Intelligence: A Modern Approach.\n"
            "Two versions of example 4 circulate. Here it rains (Raining = Yes), as the book's own tree requires: with "
            "No, that tree puts examples 4 and 10 into one leaf although their answers differ."
        ),
    )


def news():
    """Short reports in five classes, written for this course; X (165,) texts, y (165,) their labels.

    >>> print(news().X[0])
    The city council voted last night to close the old bridge for repairs.
    """
    _, cells = _read("news")
    y, X = np.array(cells[:, 0].tolist()), cells[:, 1].astype(object)
    return Dataset(
        "news",
        X,
        y,
        ("text",),
        tuple(np.unique(y).tolist()),
        (
            "33 invented sentences for each of news, sports, business, weather, entertainment (mlteach, CC BY 4.0).\n"
            "Some words serve several classes on purpose: fans, shares, storm, court, score, season, strike, record."
        ),
    )


def _classes(name, target_names, description):
    """Numeric features; the last column names the class, ``y`` has its number."""
    header, cells = _read(name)
    y = np.array([target_names.index(label) for label in cells[:, -1].tolist()])
    return Dataset(name, _floats(name).copy(), y, header[:-1], target_names, description)


def _counts(name, description):
    """Numeric features; the last column counts something."""
    header, cells = _read(name)
    return Dataset(name, _floats(name).copy(), cells[:, -1].astype(int), header[:-1], header[-1:], description)


def _categories(name, description):
    """Features and answers that are words."""
    header, cells = _read(name)
    y = np.array(cells[:, -1].tolist())
    return Dataset(name, cells[:, :-1].astype(object), y, header[:-1], tuple(np.unique(y).tolist()), description)


@cache
def _read(name):
    """Return the header and the (n, columns) cells of ``data/<name>.csv``, as strings, never handed out themselves."""
    path = DATA / f"{name}.csv"
    if not path.is_file():
        raise FileNotFoundError(
            f"{path} is missing. The folder data/ of the mlteach repository lies beside mlteach/ in a clone and inside "
            f"it when installed: run 'pip install .' in a whole clone of the repository."
        )
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    return tuple(header), np.array(rows)


@cache
def _floats(name):
    return _read(name)[1][:, :-1].astype(float)


# --- Synthetic data: the classes take turns, so any run of consecutive rows is balanced -------------------------


def noisy_sine(n=10, noise=0.3, *, grid=True, rng=0):
    """One period of a sine with Gaussian noise, t = sin(2 pi x) + N(0, noise^2); X (n, 1) in [0, 1], y (n,).

    With ``grid`` the x are evenly spaced, without it uniform random and sorted.

    >>> noisy_sine(rng=5).y[:3].round(4).tolist()
    [-0.2406, 0.2455, 0.9103]
    """
    n, noise, rng = check_integer(n, "n", low=1), check_number(noise, "noise", low=0), as_rng(rng)
    check_choice(grid, "grid", (True, False))
    x = np.linspace(0, 1, n) if grid else np.sort(rng.uniform(0, 1, n))
    t = np.sin(2 * np.pi * x) + rng.normal(0, noise, n)
    return Dataset("noisy_sine", x[:, None], t, ("x",), ("t",), f"sin(2 pi x) with Gaussian noise of sd {noise:g}.")


def blobs(n=150, centers=3, spread=0.8, *, rng=0):
    """Round Gaussian clouds; X (n, d), y (n,) the cloud 0 to K-1.

    ``centers`` is a (K, d) array, or the number K of centres to draw in the square [-4, 4]^2; ``spread`` is the
    standard deviation of every cloud, or a list with one for each.

    >>> blobs(90, centers=[[0, 0], [5, 1]], spread=[0.5, 1.5])
    Dataset(blobs: X (90, 2), y (90,), targets: blob 0, blob 1)
    """
    rng = as_rng(rng)
    if np.ndim(centers) == 0:
        centers = rng.uniform(-4, 4, (check_integer(centers, "centers", low=1), 2))
    centers = as_matrix(centers, "centers")
    K, d = centers.shape
    spread = np.full(K, spread) if np.ndim(spread) == 0 else as_vector(spread, "spread", length=K, like="centers")
    for s in spread.tolist():
        check_number(s, "spread", low=0)
    y = np.arange(check_integer(n, "n", low=K)) % K
    X = centers[y] + spread[y, None] * rng.normal(size=(n, d))
    return _plane("blobs", X, y, [f"blob {k}" for k in range(K)], f"{K} round Gaussian clouds.")


def moons(n=200, noise=0.15, *, rng=0):
    """Two interleaved half circles; X (n, 2), y (n,) with 0 for the upper moon, 1 for the lower.

    >>> moons(100).X.shape
    (100, 2)
    """
    n, noise, rng = check_integer(n, "n", low=2), check_number(noise, "noise", low=0), as_rng(rng)
    y = np.arange(n) % 2
    angle = rng.uniform(0, np.pi, n)
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.where(y[:, None] == 0, upper, [1, 0.5] - upper) + rng.normal(0, noise, (n, 2))
    return _plane("moons", X, y, ("upper", "lower"), f"Two half circles with Gaussian noise of sd {noise:g}.")


def rings(n=200, noise=0.2, radii=(1, 3), *, rng=0):
    """Concentric circles; X (n, 2), y (n,) the ring, numbered in the order of ``radii``.

    >>> np.linalg.norm(rings(4, noise=0).X, axis=1).round(6).tolist()
    [1.0, 3.0, 1.0, 3.0]
    """
    noise, rng = check_number(noise, "noise", low=0), as_rng(rng)
    radii = as_vector(radii, "radii")
    for r in radii.tolist():
        check_number(r, "radii", low=0)
    y = np.arange(check_integer(n, "n", low=len(radii))) % len(radii)
    angle = rng.uniform(0, 2 * np.pi, n)
    X = radii[y, None] * np.column_stack([np.cos(angle), np.sin(angle)]) + rng.normal(0, noise, (n, 2))
    target_names = [f"radius {r:g}" for r in radii]
    return _plane("rings", X, y, target_names, f"Concentric circles with Gaussian noise of sd {noise:g}.")


def xor(n=200, noise=0.15, *, rng=0):
    """Clouds at the corners of the unit square; X (n, 2), y (n,) with 1 where exactly one coordinate is 1.

    >>> xor(4, noise=0).X.tolist(), xor(4, noise=0).y.tolist()
    ([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0])
    """
    n, noise, rng = check_integer(n, "n", low=4), check_number(noise, "noise", low=0), as_rng(rng)
    corner = np.arange(n) % 4
    x1, x2 = corner // 2, corner % 2
    X = np.column_stack([x1, x2]) + rng.normal(0, noise, (n, 2))
    return _plane("xor", X, x1 ^ x2, ("equal", "different"), f"The XOR table with Gaussian noise of sd {noise:g}.")


def _plane(name, X, y, target_names, description):
    feature_names = tuple(f"x{j + 1}" for j in range(X.shape[1]))
    return Dataset(name, X, y, feature_names, tuple(target_names), description)
