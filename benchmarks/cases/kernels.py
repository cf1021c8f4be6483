"""Chapter 15 against scikit-learn, which has no kernel perceptron: its linear one, compiled, stands in."""

from sklearn import kernel_ridge, linear_model

from mlteach.kernels import KernelPerceptron, KernelRidge, rbf_kernel

CASES = {
    "KernelRidge, RBF": (
        "regression",
        lambda: KernelRidge(rbf_kernel(0.5), 1.0),
        lambda: kernel_ridge.KernelRidge(alpha=1.0, kernel="rbf", gamma=0.5),
    ),
    "KernelRidge, linear": ("regression", KernelRidge, lambda: kernel_ridge.KernelRidge(alpha=1.0)),
    "KernelPerceptron, RBF, 20 epochs": (
        "binary",
        lambda: KernelPerceptron(rbf_kernel(0.5), epochs=20),
        lambda: linear_model.Perceptron(max_iter=20, tol=None),
    ),
}
