"""Chapter 17 against scikit-learn, with the same kernel and noise, hyper-parameters fixed."""

from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from mlteach.gaussian_processes import GaussianProcess
from mlteach.kernels import rbf_kernel

CASES = {
    "GaussianProcess, RBF": (
        "regression",
        lambda: GaussianProcess(rbf_kernel(0.5), 0.1),
        lambda: GaussianProcessRegressor(RBF(1.0), alpha=0.1, optimizer=None),
    ),
}
