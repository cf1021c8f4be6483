"""From text to numbers: tokens, a vocabulary, and documents as vectors over it (section 10.7)."""

import re

import numpy as np

from mlteach.validation import check_choice, check_integer, not_fitted

STOP_WORDS = frozenset(
    "a about after again all also an and any are as at be because been before but by can could did do does during "
    "each for from had has have he her his how i if in into is it its may more most no not of on only or other our "
    "out over she so some such than that the their them then there these they this those to under until up was we "
    "were what when where which while who will with would you your".split()
)
ENDINGS = (("sses", "ss"), ("ies", "y"), ("ing", ""), ("ed", ""), ("ly", ""), ("es", "e"), ("ss", "ss"), ("s", ""))


def tokenize(text):
    """Return the words of a text in lower case, in their order; an apostrophe or hyphen inside belongs to the word.

    >>> tokenize("Fans stormed the PITCH: a well-earned 3-1!")
    ['fans', 'stormed', 'the', 'pitch', 'a', 'well-earned', '3-1']
    """
    if not isinstance(text, str):
        raise ValueError(f"a document must be text; got {text!r}.")
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text.lower())


def stem(word):
    """Return a word without its commonest endings, so that "storms" and "stormed" count as one.

    A few rules of thumb, not a linguist: at least three letters stay, a doubled last letter is undone.

    >>> [stem(word) for word in ("storms", "stormed", "running", "cities", "glass", "his")]
    ['storm', 'storm', 'run', 'city', 'glass', 'his']
    """
    word = re.sub(r"['’]s?$", "", word)
    for ending, new in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + new
            doubled = ending in ("ing", "ed") and word[-1:] == word[-2:-1] and word[-1] not in "lsaeiou"
            return word[:-1] if doubled else word
    return word


class Vocabulary:
    """The words of a set of documents, and documents as vectors over these words.

    boolean    x_j = 1 if word j occurs in the document, else 0
    counts     x_j = how often word j occurs in the document
    tf_idf     x_j = tf_j ln(N / n_j): tf_j is the share of word j in the document's words, and n_j of the N
               documents that the vocabulary comes from contain it  (10.14)

    The order of the words in a document is lost (a bag of words). Words outside the vocabulary are passed over.
    ``Vocabulary(documents)`` is short for ``Vocabulary().fit(documents)``.

    Parameters: ``documents``, a list of texts; ``stop_words``, words to leave out, such as `STOP_WORDS`;
    ``stemming``, True to cut endings off with `stem`; ``n``, longest run of words that counts as a term of its own
    (2: single words and pairs); ``min_documents``, in how many documents a term must occur.

    Attributes: words_, the terms in alphabetical order; n_documents_ (N); document_counts_, n_j for each term.

    >>> words = Vocabulary(["good good film", "bad film", "film plot plot"])
    >>> words.words_, words.counts(["good good film"]).tolist()
    (['bad', 'film', 'good', 'plot'], [[0.0, 1.0, 2.0, 0.0]])
    >>> words.tf_idf(["good good film"]).round(6).tolist()
    [[0.0, 0.0, 0.732408, 0.0]]
    """

    def __init__(self, documents=None, *, stop_words=(), stemming=False, n=1, min_documents=1):
        self.stop_words, self.stemming, self.n, self.min_documents = stop_words, stemming, n, min_documents
        if documents is not None:
            self.fit(documents)

    def fit(self, documents):
        """Collect the terms of ``documents``; return self."""
        if isinstance(self.stop_words, str):
            raise ValueError(f"stop_words must be a collection of words; got the text {self.stop_words!r}.")
        check_choice(self.stemming, "stemming", (True, False))
        check_integer(self.n, "n", low=1)
        least = check_integer(self.min_documents, "min_documents", low=1)
        counts, documents = {}, _checked(documents)
        for document in documents:
            for term in set(self.terms(document)):
                counts[term] = counts.get(term, 0) + 1
        words = sorted(term for term, count in counts.items() if count >= least)
        if not words:
            raise ValueError("no word is left for the vocabulary; ask for fewer stop words or a lower min_documents.")
        self.words_, self.n_documents_ = words, len(documents)
        self.document_counts_ = np.array([counts[term] for term in words])
        self._place = {term: j for j, term in enumerate(words)}
        return self

    def terms(self, document):
        """Return the terms of one document in their order: words, and runs of up to n of them."""
        words = [word for word in tokenize(document) if word not in self.stop_words]
        if self.stemming:
            words = [stem(word) for word in words]
        runs = [[" ".join(words[i : i + k]) for i in range(len(words) - k + 1)] for k in range(1, self.n + 1)]
        return [term for run in runs for term in run]

    def counts(self, documents):
        """Return how often each term occurs in each document, (n, d)."""
        return self._table(documents)[0]

    def boolean(self, documents):
        """Return 1 where a term occurs in a document and 0 where it does not, (n, d)."""
        return (self.counts(documents) > 0).astype(float)

    def tf_idf(self, documents):
        """Return the share of each term in each document, times ln(N / n_j), (n, d)."""
        counts, lengths = self._table(documents)
        idf = np.log(self.n_documents_ / self.document_counts_)
        return counts / np.maximum(lengths, 1)[:, None] * idf

    def index(self, word):
        """Return the column of a term."""
        self._require_fit()
        if word not in self._place:
            raise ValueError(f"{word!r} is none of the {len(self.words_)} terms of the vocabulary.")
        return self._place[word]

    def _table(self, documents):
        """Return the counts (n, d), and how many terms each document has, known or not."""
        self._require_fit()
        documents = _checked(documents)
        counts, lengths = np.zeros((len(documents), len(self.words_))), np.zeros(len(documents))
        for i, document in enumerate(documents):
            terms = self.terms(document)
            lengths[i] = len(terms)
            for term in terms:
                if term in self._place:
                    counts[i, self._place[term]] += 1
        return counts, lengths

    def _require_fit(self):
        if not hasattr(self, "words_"):
            raise not_fitted("Vocabulary has not been fitted; call fit first, or give it documents.")

    def __len__(self):
        self._require_fit()
        return len(self.words_)

    def __contains__(self, word):
        self._require_fit()
        return word in self._place

    def __repr__(self):
        return f"Vocabulary({len(self.words_)} words)" if hasattr(self, "words_") else "Vocabulary(not fitted)"


def _checked(documents):
    """Return a list of texts."""
    if isinstance(documents, str):
        raise ValueError("documents must be a list of texts; got one text. Use [text].")
    try:
        documents = list(documents)
    except TypeError:
        raise ValueError(f"documents must be a list of texts; got {documents!r}.") from None
    if not documents:
        raise ValueError("documents is empty; at least one text is needed.")
    for i, document in enumerate(documents):
        if not isinstance(document, str):
            raise ValueError(f"documents must be a list of texts; documents[{i}] is {document!r}.")
    return documents
