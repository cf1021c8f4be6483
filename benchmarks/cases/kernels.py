"""Chapter 15 against scikit-learn, which has no kernel perceptron: there the linear one stands in."""

from sklearn import kernel_ridge, linear_model

from mlteach.kernels import KernelPerceptron, KernelRidge, linear_kernel, rbf_kernel

CASES = {
    "KernelRidge, RBF": (
        "regression",
        lambda: KernelRidge(rbf_kernel(0.5), 1.0),
        lambda: kernel_ridge.KernelRidge(alpha=1.0, kernel="rbf", gamma=0.5),
    ),
    "KernelRidge, linear": ("regression", KernelRidge, lambda: kernel_ridge.KernelRidge(alpha=1.0)),
    "KernelPerceptron, linear": (
        "binary",
        lambda: KernelPerceptron(linear_kernel, 100),
        lambda: linear_model.Perceptron(tol=None, max_iter=100),
    ),
}
