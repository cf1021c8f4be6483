"""Chapter 16 against LIBSVM, through scikit-learn."""

from sklearn import svm

from mlteach.kernels import rbf_kernel
from mlteach.svm import DAGSVM, SVC, SVR, NuSVC

RBF = rbf_kernel(beta=0.5)
CASES = {
    "SVC, linear": ("binary", SVC, lambda: svm.SVC(kernel="linear")),
    "SVC, RBF": ("binary", lambda: SVC(kernel=RBF), lambda: svm.SVC(gamma=0.5)),
    "SVC, RBF, interior point": (
        "binary",
        lambda: SVC(kernel=RBF, solver="interior_point"),
        lambda: svm.SVC(gamma=0.5),
    ),
    "SVR, RBF": ("regression", lambda: SVR(kernel=RBF), lambda: svm.SVR(gamma=0.5)),
    "NuSVC, RBF": ("binary", lambda: NuSVC(nu=0.3, kernel=RBF), lambda: svm.NuSVC(nu=0.3, gamma=0.5)),
    "DAGSVM, linear": ("classes", lambda: DAGSVM(SVC), lambda: svm.SVC(kernel="linear")),
}
