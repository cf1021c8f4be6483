"""What one looks up: the terms that the text marks, the symbols of each chapter, the people and papers behind it."""

import collections
import re

import pytest

from mlteach import glossary
from mlteach.course import chapters
from mlteach.publish import book, lookup

NOTEBOOKS = book.read_notebooks()
PLACES = book.targets(NOTEBOOKS)
TERMS = lookup.collected(NOTEBOOKS)
CHAPTERS = [c for c in chapters() if c.written and c.number]
CITED = lookup.citations(NOTEBOOKS)

# --- Terms -----------------------------------------------------------------------------------------------------------

MARKED = """A **seed** starts it, see (5.1).

$$a=b\\tag{5.1}$$

| | |
| --- | --- |
| **husk** | what is around it |

- **Rain**: water from above.

**Why.** It is *always* so; the **root**

$$r=1\\tag{5.2}$$

holds it. **No lead?** None."""


def test_a_mark_is_bold_that_does_not_end_a_sentence():
    assert glossary.marked(MARKED) == [
        ("seed", "A seed starts it, see (5.1)."),
        ("husk", "husk · what is around it"),
        ("Rain", "Rain: water from above."),
        ("root", "It is always so; the root $r=1$ holds it."),
    ]


def test_in_a_point_a_term_is_italic_too():
    text = "**A *stem* of $a*b*c$ bears the flower.**\n\nIt is *green*.\n\n*Figure 5.1: a **caption** may define.*"
    found = glossary.marked(text)
    assert found[0] == ("stem", "A stem of $a*b*c$ bears the flower.")
    assert [name for name, _ in found] == ["stem", "caption"]


def test_a_sentence_ends_where_a_reader_ends_it():
    text = "As R. Fisher and K.-R. Müller say, e.g. in 5.2. The **leaf** (at 5.3) is thin, $a. B$ or not. It falls."
    assert glossary.marked(text) == [("leaf", "The leaf (at 5.3) is thin, $a. B$ or not.")]
    assert glossary.marked("**Bark**. It peels.") == [("Bark", "Bark. It peels.")]  # two words alone say nothing


def test_nothing_is_defined_in_openings_tasks_answers_and_exercises():
    texts = (
        "# 05 · Trees\n\n**Promise.** A **seed**.",
        "## 5.1 · Roots\n\nA **root** holds.",
        "**Predict.** Is it a **trunk**?",
        "**Your turn 5.a** (two minutes). Name the **bark**.",
        "<details><summary><b>What you should have seen</b></summary>\n\nThe **leaf**.\n\n</details>",
        "### 5.1.1 · Deeper: rings\n\nA **ring** is a year. <details>\n\nA **knot**.\n\n</details>",
        "## 5.2 · Exercises\n\nA **twig**.",
        "## 5.3 · In one minute\n\n| **Model** | a tree |",
    )
    cells = [{"cell_type": "markdown", "source": text} for text in texts]
    found = glossary.collect({"cells": cells}, 5, "05_trees")
    assert [(t.name, t.section, t.title) for t in found] == [
        ("root", "5.1", "Roots"),
        ("ring", "5.1.1", "Deeper: rings"),
    ]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.slug)
def test_the_terms_of_a_chapter(chapter):
    mine = [t for t in TERMS if t.chapter == chapter.number]
    assert len(mine) >= 12
    twice = [n for n, k in collections.Counter(glossary.key(t.name) for t in mine).items() if k > 1]
    assert not twice, "a term has one home in a chapter"
    for term in mine:
        assert ("sec", term.section) in PLACES, term
        assert len(term.name.split()) <= 6, f"{term.name!r} is emphasis: make it italic"
        assert not re.search(r"[*:;?!]|\. ", term.name), term.name
        assert term.name.lower() in term.sentence.lower(), term
        assert 2 <= len(term.sentence.split()) <= 120, term
        assert "**" not in term.sentence, term
        assert "$$" not in term.sentence, term
        assert r"\tag" not in term.sentence, term
        assert term.sentence.count("$") % 2 == 0, term


EXPECTED = {
    1: "supervised learning, reinforcement learning, version space, inductive bias, hypothesis space, baseline, PAC",
    2: "true error, confidence interval, training set, validation set, test set, k-fold cross-validation, overfits, "
    "recall, precision, ROC curve, calibrated, bootstrap, loss, p-value, confusion matrix",
    3: "Bayes' rule, prior, likelihood, posterior, independent, density, covariance, entropy, mutual information, "
    "central limit theorem, Jensen's inequality, Kullback–Leibler divergence, cross-entropy",
    4: "normal equations, residual, leverage, maximum likelihood, basis functions, standard error, learning rate",
    5: "gradient descent, learning rate, momentum, Adam, condition number, convex, Hessian, mini-batch gradient, "
    "strongly convex, Newton's method",
    6: "regularisation, ridge regression, lasso, elastic net, soft threshold, evidence, overfitting, weight decay",
    7: "linear discriminant, perceptron, decision boundary, linearly separable, one-hot, within-class scatter",
    8: "sigmoid, log-odds, softmax, logistic loss, odds ratio, exponential family, canonical link, deviance",
    9: "prior, posterior, maximum a posteriori hypothesis, Bayes optimal classifier, conjugate, credible interval",
    10: "naive Bayes, generative, discriminative model, m-estimate, bag of words, tf-idf, linear discriminant analysis",
    11: "Bayesian network, d-separated, Markov blanket, explaining away, Gibbs sampling, likelihood weighting",
    12: "decision tree, entropy, information gain, Gini index, ID3, CART, cost-complexity pruning, gain ratio",
    13: "ensemble, bagging, random forest, AdaBoost, gradient boosting, weak learners, stacking, out-of-bag error",
    14: "K nearest neighbours, Voronoi cell, Bayes error, curse of dimensionality, k-d tree, non-parametric",
    15: "kernel, Gram matrix, kernel trick, positive semi-definite, representer theorem, features, dual",
    16: "margin, support vectors, slack, hinge, Lagrangian, complementary slackness, ε-insensitive loss, ν-machine",
    17: "Gaussian process, length scale, log marginal likelihood, inducing points, kriging, Cholesky factor",
    18: "activation function, hidden layer, backpropagation, vanishing gradient, ReLU, universal approximation",
    19: "reverse-mode automatic differentiation, batch normalisation, dropout, early stopping, residual blocks",
    20: "convolution, feature map, stride, padding, pooling, receptive field, equivariant, transfer learning",
    21: "k-means, distortion, mixture, responsibility, EM, E-step, M-step, silhouette, dendrogram, k-means++",
    22: "principal components, PCA, factor analysis, whitening, t-SNE, independent component analysis, loadings",
    23: "autoencoder, code, variational autoencoder, generator, discriminator, mode collapse, reparameterisation",
    24: "bias, variance, model selection, AIC, BIC, nested cross-validation, learning curve, double descent",
    25: "VC dimension, PAC-learnable, union bound, growth function, no free lunch, Hoeffding's bound, shattered",
    26: "bandit, regret, ε-greedy, UCB rule, Thompson sampling, Gittins index, optimism, gap",
    27: "policy, return, discount, state value, action value, value iteration, policy iteration, Bellman's equation",
    28: "exploring starts, importance sampling, off-policy learning, ε-soft, first-visit Monte Carlo, coverage",
    29: "temporal-difference error, SARSA, Q-learning, eligibility trace, TD(λ), bootstraps, n-step return",
    30: "REINFORCE, baseline, actor-critic, deadly triad, semi-gradient, policy-gradient theorem, score",
    31: "Markov chain, hidden Markov model, filtering, smoothing, Viterbi's path, Kalman filter, particle filter",
    32: "POMDP, belief, alpha vectors, witness, QMDP, finite-state controller, point-based value iteration",
}


@pytest.mark.parametrize("number", EXPECTED)
def test_what_a_lecturer_looks_for_is_marked(number):
    mine = {glossary.key(t.name) for t in TERMS if t.chapter == number}
    assert [w for w in EXPECTED[number].split(", ") if glossary.key(w) not in mine] == []


def test_the_index_joins_forms_and_puts_the_first_home_first():
    found = lookup.index(TERMS)
    assert [t.chapter for t in found["overfitting"]] == sorted(t.chapter for t in found["overfitting"])
    assert {t.chapter for t in found["entropy"]} == {3, 12}
    assert "overfits" not in found
    names = [glossary.plain(name) for name in found if glossary.plain(name)[0].isascii() and name[0].isalpha()]
    assert names == sorted(names)


def test_the_glossary_says_what_where_and_what_is_near():
    entropy = glossary.glossary("Entropy")
    assert (entropy[0].section, entropy[0].title) == ("3.12.1", "Surprise and entropy")
    assert "expected surprise" in repr(entropy)
    assert "(03_probability.ipynb)" in entropy._repr_markdown_()
    assert "cross-entropy" in entropy.near
    assert glossary.glossary("support vector")[0].chapter == 16
    assert repr(glossary.glossary("back propagaton")).endswith("Near it: backpropagation.")
    assert repr(glossary.glossary("xyzzy")) == "No term is called 'xyzzy'."
    with pytest.raises(TypeError, match="a word in quotation marks; got float"):
        glossary.glossary(3.0)


LOOKED_UP = {  # what a lecturer types, in the words of other books: the section where it is defined comes first
    "training error": "2.2.2", "AUC": "2.9.2", "F1 score": "2.8.1", "hyperparameters": "2.4.1", "outliers": "2.10.1",
    "Normal distribution": "2.3.1", "Poisson distribution": "3.9.3", "Bayes rule": "3.4", "KL divergence": "3.12.2",
    "pseudoinverse": "4.3.1", "QR decomposition": "4.4", "SGD": "4.5", "SVD": "6.3", "Hoeffding inequality": "3.13.1",
    "IRLS": "8.4.1", "MAP": "9.3.1", "Variable elimination": "11.5.2", "boosting": "13.6",
    "kernel regression": "14.8.1", "SVM": "16.1", "KKT conditions": "16.4.3", "SMO": "16.8",
    "Lagrange multipliers": "16.4",
    "computational graphs": "19.2.1", "Gaussian mixtures": "21.5", "hierarchical clustering": "21.8.3",
    "ELBO": "23.6.2", "explained variance": "22.3.1", "epsilon greedy": "26.4.1", "upper confidence bound": "26.6.1",
    "MDP": "1.3.5", "value functions": "27.4", "Bellman equation": "27.4", "TD error": "29.2",
    "Monte Carlo method": "28.1",
}  # fmt: skip
NEAR = {"loss function": "loss", "discount factor": "discount", "belief state": "belief", "hinge loss": "hinge",
        "Viterbi algorithm": "Viterbi's path", "normalization": "batch normalisation", "shattering": "shattered",
        "calibration": "calibrated", "pruning": "reduced-error pruning", "grid search": "search bias"}  # fmt: skip


def test_a_lecturer_finds_the_classics_by_the_names_of_other_books():
    found = {word: glossary.glossary(word) for word in LOOKED_UP}
    assert {word: terms[0].section if terms else None for word, terms in found.items()} == LOOKED_UP
    assert {word: glossary.glossary(word).near[0] for word in NEAR} == NEAR


def test_a_definition_brings_what_it_points_back_to_and_the_list_under_it():
    text = "A cell.\n\n$$a=b.$$\n\nIt is called a **leaf**. Long cells may bear one soon. They are **twigs**."
    assert [said for _, said in glossary.marked(text)] == [
        "$a=b.$ It is called a leaf.",
        "Long cells may bear one soon. They are twigs.",
    ]
    text = "A **root** takes turns:\n\n1. It drinks.\n2. It rests:\n\nA seed."
    assert glossary.marked(text) == [("root", "A root takes turns: 1. It drinks. 2. It rests.")]
    bare = re.compile(r"(?:This|That|It) is (?:called )?(?:an? |the )?[\w'() -]+[.:]$")
    assert [t for t in TERMS if bare.match(t.sentence)] == []


# --- Symbols ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.slug)
def test_each_symbol_stands_in_the_formulas_of_its_section(chapter):
    stem = chapter.notebook[10:-6]
    rows, known = lookup.symbols({stem: NOTEBOOKS[stem]})[stem], list(lookup.formulas(NOTEBOOKS[stem]))
    assert len(rows) >= 8
    for row in rows:
        assert row.section in lookup.uses(known, row.tex), f"no formula of section {row.section} has {row.tex}"
        assert ("sec", row.section) in PLACES
        assert row.meaning


@pytest.mark.parametrize(
    ("tex", "formula", "there"),
    [
        ("K", r"$\mathbf K$", False),
        ("K", r"$\sum_{k=1}^K$", True),
        ("w_i", r"$\sum_iw_i(b)$", True),
        (r"\gamma", r"$\hat\gamma$", False),
        (r"\alpha_i", r"$\quad\alpha_i$", True),
        (r"\alpha_i", r"$\alpha_it_i$", False),
        ("a", r"$\max_x$", False),
    ],
)
def test_a_symbol_is_found_alone_and_not_in_another(tex, formula, there):
    assert bool(lookup.uses([("5.1", formula)], tex)) == there


# --- People and papers -----------------------------------------------------------------------------------------------


def test_every_paper_is_complete_and_cited():
    for paper, places in CITED.items():
        assert all(paper.authors), paper
        assert re.fullmatch(r"1[789]\d\d|20[012]\d", paper.year), paper
        assert paper.title, paper
        assert paper.place, paper
        assert places, f"no chapter cites {lookup.reference(paper)}"
    assert len({(p.authors, p.year, p.title) for p in CITED}) == len(CITED)


JOURNALS = {"Amer", "Machine"}  # "J. Amer. Statist. Assoc.", "J. Machine Learning Research": initials without a name


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda c: c.slug)
def test_every_year_and_every_name_of_where_it_comes_from_has_its_paper(chapter):
    stem = chapter.notebook[10:-6]
    _, sentences = lookup.origins({stem: NOTEBOOKS[stem]})[stem]
    names = {word for paper in CITED for author in paper.authors for word in re.findall(r"[\w'’-]+", author)}
    assert sum(bool(lookup.YEAR.search(s)) for s in sentences) >= 1
    for sentence in sentences:
        years = {paper.year for paper in CITED if lookup.cites(sentence, paper)}
        assert set(lookup.YEAR.findall(sentence)) <= years, sentence
        assert set(lookup.PERSON.findall(sentence)) - JOURNALS <= names, sentence


def test_every_name_has_its_section():
    people = lookup.people(CITED)
    assert all(people.values())
    assert ("11_bayesian_networks", "11.14") in people["Pearl, J."]
    assert people["van der Maaten, L."] == [("22_latent_factors", "22.14")]
    assert len(people) > 300


def test_a_paper_as_a_bibliography_has_it():
    paper = lookup.Paper(("A. Bee", "C. Dee"), "1999", "On bees & trees", "Garden 5", "")
    assert lookup.reference(paper) == "A. Bee and C. Dee (1999). *On bees &amp; trees*. Garden 5."
    assert lookup.cites("In 1999 A. Bee counted.", paper)
    assert lookup.cites("Read next: Bee and Dee, *On bees & trees*.", paper)
    assert not lookup.cites("In 1998 A. Bee counted.", paper)
    assert not lookup.cites("In 1999 A. Beeman counted.", paper)


# --- The pages -------------------------------------------------------------------------------------------------------


def test_every_link_of_the_three_pages_leads_to_its_place():
    anchors = {f"{stem}.html#{book.anchor(*place)}" for place, stem in PLACES.items()}
    pages = book.lookups(NOTEBOOKS, PLACES)
    assert set(pages) == set(lookup.PAGES)
    for name, text in pages.items():
        links = re.findall(r'href="([^"]+)"', text)
        assert len(links) > 250
        assert [link for link in links if link not in anchors] == [], name
        ids = re.findall(r'id="([^"]+)"', text)
        assert len(ids) == len(set(ids)), [i for i, k in collections.Counter(ids).items() if k > 1]
    for name in lookup.index(TERMS):
        assert f">{name}</b>" in pages["glossary"]
