"""The book and the slides in real Chromium, opened from disk and over http: three chapters in full.

MLTEACH_PAGES=all takes all of them, MLTEACH_PAGES="svm kernels" two more.
"""

import base64
import functools
import html
import http.server
import io
import json
import os
import re
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

import lab
import numpy as np
import pytest
from PIL import Image

from mlteach.course import ROOT, chapters
from mlteach.explore import REGISTRY
from mlteach.explore.base import bold
from mlteach.publish import book, frames, lookup, settings, slides

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("pages"),  # one process builds the book; the other ones look at JupyterLab meanwhile
    pytest.mark.skipif(lab.find_chromium() is None and os.environ.get("CI") != "true", reason="NO CHROMIUM FOUND"),
]
PAGES = ["start_here", "optimization", "bayesian_networks", *os.environ.get("MLTEACH_PAGES", "").split()]
WRITTEN = [c for c in chapters() if c.written]
FULL = [c for c in WRITTEN if "all" in PAGES or c.slug in PAGES]
FILMS = ROOT / "build" / "explorers"
each = pytest.mark.parametrize("chapter", FULL, ids=lambda c: c.slug)
STEM = {c.slug: Path(c.notebook).stem for c in WRITTEN}


def explorers(chapter):
    """Return the names of a chapter's explorers."""
    return sorted(name for name, make in REGISTRY.items() if make.__module__.endswith(f".{chapter.slug}"))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the book; the explorers of the chapters that are tested in full move."""
    target = tmp_path_factory.mktemp("pages") / "book"
    names = [name for chapter in FULL for name in explorers(chapter)]
    seconds = book.build(target, FILMS, names)
    sizes = [(FILMS / f"{name}.js").stat().st_size / 1e6 for name in names]
    print(f"\n{len(names)} films: {np.mean(sizes):.2f} MB on average, {max(sizes):.2f} at most;", end=" ")
    print(f"made or found in {seconds[0]:.0f} s, pages in {seconds[1]:.0f} s")
    assert np.mean(sizes) <= 2.5
    return target


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that writes no log."""

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module", params=["file", "http"])
def address(site, request):
    """Yield where the book stands: on disk, and on a server."""
    if request.param == "file":
        yield f"file://{site}"
        return
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="module")
def chromium():
    with lab.chromium() as program:
        yield program


@pytest.fixture
def page(chromium):
    """Yield a page that remembers what it asked for and what went wrong."""
    with lab.tab(chromium) as page:
        page.asked, page.faults = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("requestfailed", lambda request: page.faults.append(f"not found: {request.url}"))
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        yield page


def quiet(page):
    """Nothing went wrong, and nothing was asked of a network."""
    assert page.faults == []
    assert not [url for url in page.asked if not url.startswith(("file:", "data:", "blob:", "http://127.0.0.1:"))]


# --- The book --------------------------------------------------------------------------------------------------------


class Anchors(HTMLParser):
    """The ids and the links of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids |= {attributes["id"]} if "id" in attributes else set()
        for key in ("href", "src"):
            if attributes.get(key) and not attributes[key].startswith("data:"):
                self.links.append(attributes[key])


def test_all_links_resolve(site):
    pages = {path.name: Anchors(path) for path in site.glob("*.html")}
    assert set(pages) >= {"index.html", "search.html", *(f"{stem}.html" for stem in STEM.values())}
    equations, missing = 0, []
    for name, anchors in pages.items():
        for link in anchors.links:
            parts = urlparse(link)
            if parts.scheme in ("http", "https"):
                continue
            target = unquote(parts.path) or name
            if target.startswith("explorers/"):  # films of the other chapters are not built here
                continue
            known = pages[target].ids if target in pages else None
            equations += parts.fragment.startswith("eq-")
            if not (site / target).exists() or (parts.fragment and known is not None and parts.fragment not in known):
                missing.append(f"{name}: {link}")
    assert not missing
    assert equations > 500


# Where a term is taught: "7.5" is section 7.5 with its subsections, "16." the whole chapter; of several each will do
TAUGHT = {
    "perceptron": "7.5",
    "k-means": "21.2",
    "learning rate": "5.3",
    "support vector": "16.",
    "overfitting": "2.6",
    "softmax": "8.6",
    "entropy": "3.12 12.3",
    "cross-validation": "2.5",
    "Q-learning": "29.6",
    "version space": "1.4",
    "inductive bias": "1.5",
    "confidence interval": "2.3",
    "ROC curve": "2.9",
    "bootstrap": "2.9.5",
    "Bayes' rule": "3.4",
    "conditional independence": "3.5",
    "covariance": "3.8",
    "central limit theorem": "3.13",
    "Jensen's inequality": "3.11",
    "normal equations": "4.3",
    "maximum likelihood": "4.7 9.4",
    "leverage": "4.12.2",
    "gradient descent": "5.3",
    "momentum": "5.11",
    "Adam": "5.13",
    "Newton's method": "5.14",
    "ridge": "6.2",
    "lasso": "6.6",
    "elastic net": "6.7",
    "Fisher's discriminant": "7.6",
    "logistic regression": "8.",
    "sigmoid": "8.2",
    "generalised linear model": "8.8",
    "posterior": "9.2 3.4",
    "MAP": "9.3",
    "credible interval": "9.5.3",
    "naive Bayes": "10.6",
    "calibration": "10.6.5",
    "Bayesian network": "11.2",
    "d-separation": "11.4",
    "Gibbs sampling": "11.6.3",
    "variable elimination": "11.5.2",
    "decision tree": "12.2",
    "information gain": "12.3.2",
    "pruning": "12.8",
    "bagging": "13.4",
    "random forest": "13.5",
    "AdaBoost": "13.6.2",
    "gradient boosting": "13.6.7",
    "nearest neighbours": "14.2",
    "curse of dimensionality": "14.7 6.10",
    "kernel trick": "15.6",
    "Gram matrix": "15.3",
    "kernel ridge regression": "15.7",
    "slack": "16.6",
    "duality": "16.4",
    "SMO": "16.8",
    "Gaussian process": "17.3",
    "backpropagation": "18.6",
    "activation function": "18.2",
    "vanishing gradient": "18.9.1 19.5",
    "automatic differentiation": "19.2",
    "batch normalisation": "19.4.2",
    "dropout": "19.7",
    "early stopping": "19.6.2",
    "convolution": "20.2",
    "pooling": "20.5.3",
    "receptive field": "20.5.4",
    "EM": "21.4",
    "Gaussian mixture": "21.5",
    "silhouette": "21.7",
    "PCA": "22.3",
    "factor analysis": "22.7",
    "independent components": "22.8",
    "t-SNE": "22.9.3",
    "autoencoder": "23.2",
    "variational autoencoder": "23.6",
    "GAN": "23.8",
    "adversarial": "23.9",
    "AIC": "24.7",
    "nested cross-validation": "24.10 2.6.1",
    "no free lunch": "25.2",
    "VC dimension": "25.6",
    "PAC": "25.5",
    "Hoeffding": "25.3 3.13",
    "regret": "26.2",
    "UCB": "26.6",
    "Thompson sampling": "26.8",
    "Bellman equation": "27.4",
    "value iteration": "27.7",
    "policy iteration": "27.6",
    "discount": "27.3",
    "importance sampling": "28.10",
    "exploring starts": "28.6",
    "SARSA": "29.6",
    "eligibility trace": "29.11.3",
    "REINFORCE": "30.9",
    "policy gradient": "30.8",
    "actor-critic": "30.9",
    "deadly triad": "30.6",
    "hidden Markov model": "31.3",
    "Viterbi": "31.7",
    "Kalman filter": "31.9",
    "particle filter": "31.10",
    "POMDP": "32.2",
    "alpha vectors": "32.5",
    "QMDP": "32.9",
    "VAE": "23.6",
    "ROC": "2.9",
    "hyper-parameter": "2.4.1 24.3 5.3",
    "k-fold": "2.5",
    "mutual information": "3.12.3",
    "recall": "2.8",
    "temporal-difference error": "29.2",
    "hard margin": "16.",
}


def test_search_finds_first_what_teaches_a_term_and_needs_no_server(address, page):
    for asked in ("perceptron", "learning rate"):
        page.goto(f"{address}/search.html?q={asked}")
        page.wait_for_selector("ul.search li a", timeout=20_000)
        assert in_place(page.locator("ul.search li a").first.inner_text(), TAUGHT[asked]), asked
        assert len(page.locator("ul.search li .context").first.inner_text()) > 20
    first = page.evaluate("asked => asked.map(one => find(one)[0]?.section.heading ?? '')", list(TAUGHT))
    found = dict(zip(TAUGHT, first))
    assert {asked: heading for asked, heading in found.items() if not in_place(heading, TAUGHT[asked])} == {}
    assert found["k-means"].startswith("21.2 ·")  # and not what k-means++ adds to it
    quiet(page)


def in_place(heading, places):
    """Say whether a heading, "7.5 · The perceptron" or "16 · Support vector machines", stands in one of the places."""
    number = heading.split(" ")[0] + "."
    return any(number.startswith(place if place.endswith(".") else f"{place}.") for place in places.split())


# Go to each place, wait until the page has settled, and say how far from the top of the window it is.
LAND = """async (names) => {
    const found = {}, later = ms => new Promise(r => setTimeout(r, ms));
    for (const name of names) {
        document.querySelectorAll('details[open]').forEach(d => { d.open = false; });
        location.hash = name;
        let before = -1, top = 0;
        for (let wait = 0; wait < 40 && before !== top; wait++) {
            before = top;
            await later(120);
            top = document.getElementById(name).getBoundingClientRect().top;
        }
        const end = document.documentElement.scrollHeight - innerHeight - scrollY < 2;
        if (top < -4 || top > (end ? 1 : 0.4) * innerHeight) found[name] = top;
    }
    return found;
}"""


@pytest.mark.parametrize("chapter", WRITTEN, ids=lambda c: c.slug)
def test_links_into_a_chapter_land(chapter, site, address, page):
    """Three chapters: all places; the others: ten, the first of them with a page that is just loaded."""
    page.set_viewport_size({"width": 1280, "height": 800})
    path = f"{address}/{STEM[chapter.slug]}.html"
    names = sorted(name for name in Anchors(site / f"{STEM[chapter.slug]}.html").ids if re.match(PLACE, name))
    if chapter not in FULL:
        names = list(np.random.default_rng(chapter.number).choice(names, min(10, len(names)), replace=False))
    page.goto(f"{path}#{names[-1]}")
    page.wait_for_load_state("load")
    page.wait_for_timeout(600)
    top = page.evaluate("n => document.getElementById(n).getBoundingClientRect().top", names[-1])
    assert -4 <= top <= 800, names[-1]
    assert page.evaluate(LAND, [str(name) for name in names]) == {}


PLACE = r"(eq|fig|ex|sec)-\d"


def test_the_first_page_moves(address, page):
    page.goto(f"{address}/index.html")
    page.wait_for_selector("ml-explorer[ready]")
    page.locator("ml-explorer input[type=range]").first.focus()
    before = page.get_attribute("ml-explorer", "shows")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("was => document.querySelector('ml-explorer').getAttribute('shows') != was", arg=before)
    page.keyboard.press("Tab")
    quiet(page)


@each
def test_page_of_the_book(chapter, site, page):
    page.goto(f"file://{site}/{STEM[chapter.slug]}.html")
    page.wait_for_function("window.MathJax && MathJax.startup && MathJax.startup.promise", timeout=30_000)
    page.evaluate("MathJax.startup.promise.then(() => MathJax.startup.document.lazyTypesetAll())")
    assert page.locator("mjx-merror").count() == 0
    assert page.locator("mjx-container").count() > (10 if chapter.number == 0 else 100)
    files = {Path(unquote(urlparse(url).path)) for url in page.asked}
    assert sum(file.stat().st_size for file in files if file.parent.name != "explorers" or file.suffix == ".png") <= 3e6
    assert not page.locator("details.deeper[open]").count()
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390, page.evaluate(WIDE)[:3]
    quiet(page)


# All that axe-core finds, and some of the places.
AXE = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations
    .map(v => [v.id, v.impact, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))])"""


@pytest.mark.parametrize(
    "name", [*STEM.values(), *lookup.PAGES, "index", "search", "paths", "teaching", "teaching_12_decision_trees"]
)
def test_a_page_is_for_everybody(name, site, page):
    """On a desktop as it opens, and on a phone with all folds open: axe-core finds nothing of any level."""
    if lab.axe() is None:
        pytest.skip("NO NPM FOUND: axe-core cannot judge the pages")
    page.goto(f"file://{site}/{name}.html")
    page.wait_for_load_state("load")
    page.evaluate(lab.axe())
    assert page.evaluate(AXE) == []
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.wait_for_timeout(500)
    assert page.evaluate(AXE) == []


# Count what changes within a second.
CHANGES = """async () => {
    let n = 0;
    new MutationObserver(seen => { n += seen.length; }).observe(document.body, {attributes: true, subtree: true});
    await new Promise(r => setTimeout(r, 1000));
    return n;
}"""


@each
def test_a_page_comes_to_rest(chapter, site, page):
    """A mark that changes the size of its box must not ask for another measure, for ever."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"file://{site}/{STEM[chapter.slug]}.html")
    page.wait_for_function("window.MathJax?.startup?.document?.lazyList && document.querySelector('mjx-lazy')")
    page.wait_for_timeout(2000)
    assert page.evaluate(CHANGES) == 0
    assert page.locator(".wide").count() or chapter.number == 0
    assert page.locator("mjx-container:has(mjx-lazy):not([aria-label])").count() == 0


# What sticks out of a narrow page, for the message.
WIDE = """() => [...document.querySelectorAll('article *')].filter(e => e.getBoundingClientRect().right > 391
    && !e.closest('pre, .table-wrapper, div.math, mjx-container')).map(e => e.outerHTML.slice(0, 120))"""


def test_a_link_into_depth_opens_it(site, page):
    page.goto(f"file://{site}/05_optimization.html")
    inside = page.locator("details.deeper div.math[id]").first.get_attribute("id")
    assert not page.locator(f"#{inside}").is_visible()
    page.goto(f"file://{site}/05_optimization.html#{inside}")
    page.wait_for_function(f"document.getElementById('{inside}').closest('details').open")
    assert page.locator(f"#{inside}").is_visible()


@each
def test_what_the_player_shows_is_what_the_kernel_computes(chapter, site, page):
    """Ten settings of every explorer: the picture within compression, the read-out to the letter."""
    page.goto(f"file://{site}/{STEM[chapter.slug]}.html")
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")  # some lie in depth
    rng = np.random.default_rng(chapter.number)
    for name in explorers(chapter):
        page.locator(f"ml-explorer[name={name}]").scroll_into_view_if_needed()
        page.wait_for_selector(f"ml-explorer[name={name}][ready]", timeout=20_000)
        film = frames.read(site / "explorers" / f"{name}.js")
        shown = REGISTRY[name]()
        every = {key: frames.positions(control) for key, control in shown.controls.items()}
        for key in rng.choice(list(film["frames"]), 10):
            setting = [int(i) for i in key.split(",")]
            said, picture = page.evaluate(MOVE, [name, setting])
            values = {k: every[k][film["positions"][k][i]] for k, i in zip(every, setting)}
            pixels, words, labels = shown.snapshot(**values)
            assert said == words.replace("**", ""), (name, values)
            seen = np.asarray(Image.open(io.BytesIO(base64.b64decode(picture.partition(",")[2]))).convert("RGB"))
            off = abs(seen.astype(int) - pixels).max(axis=2)
            assert off.mean() < 1, (name, values)
            assert np.mean(off > 48) < 1e-3, (name, values)
    quiet(page)


# Reset, then bring each control to its stop as a reader would, and wait for the picture.
MOVE = """async ([name, setting]) => {
    const explorer = document.querySelector(`ml-explorer[name=${name}]`), { together, controls } = explorer.film;
    const later = ms => new Promise(r => setTimeout(r, ms));
    await explorer.reset();
    const fire = (input, kind) => input.dispatchEvent(new Event(kind, { bubbles: true }));
    controls.forEach((control, k) => {
        if (setting[k] === explorer.now[k]) return;
        const row = explorer.rows[k].element, i = setting[k];
        const input = row.querySelector('input, select');
        if (control.kind === 'switch') input.click();
        else if (control.kind === 'buttons') row.querySelectorAll('input')[i].click();
        else { input.value = i; fire(input, control.kind === 'range' ? 'input' : 'change'); }
    });
    for (let wait = 0; explorer.getAttribute('shows') !== setting.join() && wait < 200; wait++) await later(10);
    if (explorer.getAttribute('shows') !== setting.join()) throw new Error(`${name} does not reach ${setting}`);
    return [explorer.querySelector('.ml-words').textContent, explorer.canvas.toDataURL()];
}"""


def test_a_moved_slider_leaves_the_others_where_they_are(site, page):
    """Each slider in turn, by keys: it moves, and no other goes back to its start."""
    page.goto(f"file://{site}/05_optimization.html")
    box = "ml-explorer[name=quadratic_descent]"
    page.locator(box).scroll_into_view_if_needed()
    page.wait_for_selector(f"{box}[ready]")
    inputs, seen = page.locator(f"{box} input[type=range]"), []
    for k in range(inputs.count()):
        inputs.nth(k).focus()
        page.keyboard.press("End" if k == 0 else "ArrowRight")
        page.wait_for_timeout(200)
        now = page.evaluate("b => document.querySelector(b).now", box)
        assert [now[q] for q in range(k)] == seen[:k]
        assert now[k] != page.evaluate("b => document.querySelector(b).start", box)[k]
        seen = now
    assert page.inner_text(f"{box} .ml-note") == ""


def test_a_control_that_is_held_says_so(site, page):
    """Where not all controls move together, one that has a single picture beside the others says how to free it."""
    films = {name: frames.read(site / "explorers" / f"{name}.js") for chapter in FULL for name in explorers(chapter)}
    name, film = next((n, f) for n, f in films.items() if len(f["together"]) < len(f["controls"]))
    chapter = next(c for c in FULL if name in explorers(c))
    page.goto(f"file://{site}/{STEM[chapter.slug]}.html")
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    box = f"ml-explorer[name={name}]"
    page.locator(box).scroll_into_view_if_needed()
    page.wait_for_selector(f"{box}[ready]", timeout=20_000)
    assert page.locator(f"{box} .ml-held").count() == 0
    held = page.evaluate(HELD, [name, film["together"]])
    assert held
    assert page.evaluate("async b => { await document.querySelector(b).reset(); }", box) is None
    assert page.locator(f"{box} .ml-held").count() == 0


# Put the controls that move together somewhere else, and return the labels of those that are then held.
HELD = """async ([name, together]) => {
    const explorer = document.querySelector(`ml-explorer[name=${name}]`), { controls, frames } = explorer.film;
    const held = () => [...explorer.querySelectorAll('.ml-held')].map(e => e.innerText);
    for (const key of Object.keys(frames)) {
        explorer.now = key.split(',').map(Number);
        await explorer.show();
        if (held().length) return held();
    }
}"""


@each
def test_films_have_the_settings_that_the_chapter_names(chapter, site):
    for name in explorers(chapter):
        film = frames.read(site / "explorers" / f"{name}.js")
        shown, every, start = frames.ready(name)
        for setting in settings.named(name, every, shown.controls, start):
            stops = [film["positions"][key].index(place) for key, place in setting.items()]
            picture, words, *labels = film["frames"][",".join(map(str, stops))]
            values = {key: every[key][place] for key, place in setting.items()}
            assert film["texts"][words] == bold(shown.snapshot(**values)[1]), (name, values)


def test_play_and_reset(site, page):
    page.goto(f"file://{site}/index.html")
    page.wait_for_selector("ml-explorer[ready]")
    start = page.get_attribute("ml-explorer", "shows")
    page.click(".ml-play")
    page.wait_for_function("was => document.querySelector('ml-explorer').getAttribute('shows') != was", arg=start)
    assert page.get_attribute(".ml-play", "aria-label") == "Pause"
    page.click(".ml-reset")
    page.wait_for_function("was => document.querySelector('ml-explorer').getAttribute('shows') == was", arg=start)
    assert page.get_attribute(".ml-play", "aria-label") == "Play"


def test_without_its_film_an_explorer_is_a_picture(site, page):
    name = "first_fit"
    film = site / "explorers" / f"{name}.js"
    away = film.rename(film.with_suffix(".away"))
    try:
        page.goto(f"file://{site}/index.html")
        page.wait_for_timeout(500)
        picture = page.locator("ml-explorer img")
        assert picture.evaluate("i => i.naturalWidth") > 600
    finally:
        away.rename(film)


# --- Slides ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def decks(tmp_path_factory, site):
    """Write the decks of the chapters that are tested in full."""
    folder = tmp_path_factory.mktemp("slides")
    for chapter in FULL:
        notebook = json.loads((ROOT / chapter.notebook).read_text(encoding="utf-8"))
        text = slides.page(notebook, FILMS, ROOT / "build" / "figures")
        (folder / f"{STEM[chapter.slug]}.html").write_text(text, encoding="utf-8")
    return folder


# For every slide: what is cut off or out of the screen, and the size of its letters.
SLIDES = """async () => {
    const found = [];
    for (let k = 0; k < Reveal.getTotalSlides(); k++) {
        Reveal.slide(k);
        const slide = Reveal.getCurrentSlide(), explorer = slide.querySelector('ml-explorer');
        const built = () => !explorer || explorer.hasAttribute('ready');
        for (let wait = 0; !built() && wait < 300; wait++) await new Promise(r => setTimeout(r, 10));
        await new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
        const content = slide.querySelector('.content');
        const out = [...slide.querySelectorAll('h1, h2, p, ol, pre, img, canvas, button, input, svg')].filter(e => {
            const box = e.getBoundingClientRect();
            const outside = box.left < -1 || box.top < -1 || box.right > 1921 || box.bottom > 1081;
            return box.width && outside && !e.closest('aside'); });
        const hidden = content.scrollHeight > content.clientHeight + 1 || content.scrollWidth > content.clientWidth + 1;
        const picture = slide.querySelector('img, canvas'), words = content.querySelector('p');
        found.push({headline: slide.querySelector('h1, h2').innerText, out: out.map(e => e.outerHTML.slice(0, 80)),
            cut: [...slide.querySelectorAll('.display')].some(e => e.scrollWidth > e.clientWidth + 2),
            sharp: [...slide.querySelectorAll('.figure .picture img, .picture.cited img')].every(
                e => e.naturalWidth >= Math.min(1600, e.clientWidth) || e.naturalHeight >= e.clientHeight),
            hidden, moves: built(), letters: words ? parseFloat(getComputedStyle(words).fontSize) : null,
            picture: picture ? Math.min(picture.clientHeight, picture.clientWidth) : null});
    }
    return found;
}"""


@each
def test_no_slide_overflows(chapter, decks, page):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"file://{decks}/{STEM[chapter.slug]}.html")
    page.wait_for_selector("body.ready", timeout=60_000)
    assert page.locator(".slides > section > :not(aside) mjx-merror, .content mjx-merror").count() == 0
    shown = page.evaluate(SLIDES)
    faults = [
        s
        for s in shown
        if s["out"] or s["hidden"] or s["cut"] or not s["sharp"] or not s["moves"] or (s["picture"] or 400) < 250
    ]
    assert faults == []
    assert min(s["letters"] for s in shown if s["letters"]) >= 24
    quiet(page)


@each
def test_a_deck_is_for_everybody(chapter, decks, page):
    if lab.axe() is None:
        pytest.skip("NO NPM FOUND: axe-core cannot judge the slides")
    page.goto(f"file://{decks}/{STEM[chapter.slug]}.html")
    page.wait_for_selector("body.ready", timeout=60_000)
    page.evaluate(lab.axe())
    for number in range(0, page.evaluate("Reveal.getTotalSlides()"), 3):
        page.evaluate(f"Reveal.slide({number})")
        assert page.evaluate(AXE) == [], number


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves_when_the_words_of_an_explorer_wrap(width, site, page):
    """It keeps the room that its longest read-out takes, also after the window has become narrow."""
    page.goto(f"file://{site}/05_optimization.html")
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")  # one lies in depth
    for name in explorers(next(c for c in WRITTEN if c.slug == "optimization")):
        page.set_viewport_size({"width": 900, "height": 800})
        page.locator(f"ml-explorer[name={name}]").scroll_into_view_if_needed()
        page.wait_for_selector(f"ml-explorer[name={name}][ready]")
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(200)
        assert page.evaluate(JUMP, f"ml-explorer[name={name}]") == 0, name


def test_the_picture_on_a_slide_keeps_its_size(decks, page):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"file://{decks}/05_optimization.html")
    page.wait_for_selector("body.ready", timeout=60_000)
    for number in page.evaluate(
        "[...document.querySelectorAll('.slides > section')].flatMap((s, k) => s.matches('.explorer') ? [k] : [])"
    ):
        page.evaluate(f"Reveal.slide({number})")
        page.wait_for_selector("section.present ml-explorer[ready]")
        assert page.evaluate(JUMP, "section.present ml-explorer") == 0, number


# By how many pixels what stands under the words of an explorer moves, over 60 of its settings.
JUMP = """async (box) => {
    const explorer = document.querySelector(box), all = Object.keys(explorer.film.frames), places = [];
    for (let k = 0; k < all.length; k += Math.ceil(all.length / 60)) {
        explorer.now = all[k].split(',').map(Number);
        await explorer.show();
        places.push(explorer.canvas.offsetHeight + explorer.words.offsetHeight);
    }
    return Math.max(...places) - Math.min(...places);
}"""


def test_an_explorer_moves_on_its_slide_and_the_presenter_goes_on(decks, page):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"file://{decks}/05_optimization.html")
    page.wait_for_selector("body.ready", timeout=60_000)
    kinds = page.evaluate("[...document.querySelectorAll('.slides > section')].map(s => s.classList[0])")
    at = kinds.index("explorer")
    page.evaluate(f"Reveal.slide({at})")
    page.wait_for_selector("section.present ml-explorer[ready]")
    before = page.get_attribute("section.present ml-explorer", "shows")
    page.locator("section.present ml-explorer input[type=range]").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"section.present ml-explorer:not([shows='{before}'])")
    page.keyboard.press("PageDown")
    assert page.evaluate("Reveal.getIndices().h") == at + 1


def test_space_on_play_plays(decks, page):
    page.goto(f"file://{decks}/05_optimization.html")
    page.wait_for_selector("body.ready", timeout=60_000)
    explorers = page.evaluate(
        "[...document.querySelectorAll('.slides > section')].map(s => !!s.querySelector('ml-explorer'))"
    )
    for at in (k for k, has in enumerate(explorers) if has):
        page.evaluate(f"Reveal.slide({at})")
        page.wait_for_selector("section.present ml-explorer[ready]")
        if page.locator("section.present .ml-play").count():
            break
    page.locator("section.present .ml-play").focus()
    page.keyboard.press("Space")
    assert page.get_attribute("section.present .ml-play", "aria-label") == "Pause"
    assert page.evaluate("Reveal.getIndices().h") == at


def test_every_slide_is_printed_with_its_picture(decks, page):
    page.goto(f"file://{decks}/05_optimization.html?print-pdf")
    page.wait_for_selector("body.ready", timeout=60_000)
    page.wait_for_selector(".pdf-page")
    printed = page.evaluate("""[...document.querySelectorAll('.pdf-page')].map(p => {
        const picture = p.querySelector('.picture img'), letters = p.querySelector('h1, h2');
        return {kind: p.querySelector('section').classList[0], words: letters.getBoundingClientRect().height,
            height: picture ? picture.getBoundingClientRect().height : null}; })""")
    deck = slides.deck(json.loads((ROOT / "notebooks/05_optimization.ipynb").read_text(encoding="utf-8")))
    assert [p["kind"] for p in printed] == [s.kind.split()[0] for s in deck]
    assert min(p["words"] for p in printed) > 24
    assert min(p["height"] for p in printed if p["kind"] in ("figure", "explorer")) > 250


def test_the_speaker_has_notes(decks, page):
    page.goto(f"file://{decks}/05_optimization.html")
    page.wait_for_selector("body.ready", timeout=60_000)
    with page.expect_popup() as opened:
        page.keyboard.press("s")
    speaker = opened.value
    page.evaluate("Reveal.slide(2)")
    speaker.wait_for_selector(".speaker-controls-notes:not(.hidden)", timeout=20_000)
    assert "a task for each" in speaker.inner_text(".speaker-controls-notes")


def test_text_of_a_slide_is_escaped(decks):
    text = (decks / "05_optimization.html").read_text(encoding="utf-8")
    assert html.unescape(re.search(r"<title>(.*?)</title>", text)[1]) == "Optimisation"
