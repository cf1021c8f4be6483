"""Eight rules for the next step. Each holds its own state, and each ``_update`` is its pseudo-code.

g is the gradient at w (for Nesterov at the look-ahead point), eta the learning rate of step k = 0, 1, 2, ...
All operations but Newton's act on each entry of w alone, so w may have any shape.

Derived in sections 5.3 and 5.11 to 5.14 of the chapter.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from mlteach.optimization.schedules import inverse_sqrt_decay, linear_decay
from mlteach.validation import as_array, check_number


class Optimizer:
    """What they share: the step counter ``k_``, the learning rate, the checks, and a state that starts at 0.

    ``learning_rate`` is a number above 0, or a schedule: a function of k such as `linear_decay`.
    """

    learning_rate: float | Callable
    _state: ClassVar[tuple] = ()  # names of the arrays, of w's shape, that the rule remembers

    def __post_init__(self):
        self.reset()

    def reset(self):
        """Forget all steps made; return self."""
        self.k_, self._shape = 0, None
        for name in self._state:
            setattr(self, name, None)
        return self

    def step(self, w, gradient):
        """Make one step from ``w`` and return the new w; ``gradient`` is a function of w, called once.

        Overflow is not an error here: the numbers returned are then not finite.
        """
        w, eta = self._begin(as_array(w, "w"), gradient)
        with np.errstate(over="ignore", invalid="ignore"):
            w = self._update(w, lambda point: _gradient_at(gradient, point), eta)
        if not all(np.isfinite(getattr(self, name)).all() for name in self._state):
            w = np.full_like(w, np.nan)  # an average of squares that is infinite would make steps of length 0
        self.k_ += 1
        return w

    def _update(self, w, gradient, eta):
        raise NotImplementedError

    def _check(self):
        """Refuse hyper-parameters that make no sense."""

    def _begin(self, w, gradient):
        if not callable(gradient):
            raise TypeError(f"gradient must be a function of w; got {type(gradient).__name__}.")
        if self._shape not in (None, w.shape):
            raise ValueError(
                f"w has shape {w.shape}, but the steps so far had {self._shape}. Call reset() before a new run."
            )
        self._check()
        eta = self._rate()
        if self._shape is None:
            self._shape = w.shape
            for name in self._state:
                setattr(self, name, np.zeros_like(w))
        return w, eta

    def _rate(self):
        if self.learning_rate in (linear_decay, inverse_sqrt_decay):
            raise TypeError(
                f"learning_rate must be a number or a schedule such as linear_decay(0.1, 0, 100); got the function "
                f"{self.learning_rate.__name__} itself."
            )
        if callable(self.learning_rate):
            return check_number(self.learning_rate(self.k_), f"learning_rate({self.k_})", low=0)
        return check_number(self.learning_rate, "learning_rate", low=0, open_low=True)


@dataclass(eq=False)
class GradientDescent(Optimizer):
    """Gradient descent: a step straight downhill, as long as the slope is steep.

    Update  w <- w - eta g                                       (5.4)

    On f = 1/2 L w^2 it converges for 0 < eta < 2/L, and in one step with eta = 1/L (5.6).

    >>> optimizer = GradientDescent(learning_rate=0.1)
    >>> optimizer.step([1.0, -2.0], lambda w: 2 * w)
    array([ 0.8, -1.6])
    """

    learning_rate: float | Callable = 0.1

    def _update(self, w, gradient, eta):
        return w - eta * gradient(w)


@dataclass(eq=False)
class Momentum(Optimizer):
    """Gradient descent with momentum: a heavy ball that keeps the part beta of its velocity.

    Update  v <- beta v - eta g,  w <- w + v                     (5.31)

    Parameters: ``learning_rate`` eta, ``momentum`` beta in [0, 1). State: ``v_``.

    >>> optimizer, w = Momentum(learning_rate=0.1, momentum=0.9), 1.0
    >>> for _ in range(3):
    ...     w = optimizer.step(w, lambda w: w)
    >>> print(round(w, 6))
    0.486
    """

    learning_rate: float | Callable = 0.1
    momentum: float = 0.9

    _state: ClassVar[tuple] = ("v_",)

    def _update(self, w, gradient, eta):
        # 1. Keep a part of the velocity and accelerate downhill
        self.v_ = self.momentum * self.v_ - eta * gradient(w)
        # 2. Move with the new velocity
        return w + self.v_

    def _check(self):
        _check_fraction(self.momentum, "momentum")


@dataclass(eq=False)
class Nesterov(Optimizer):
    """Nesterov's momentum: the slope is measured where the velocity is about to carry the ball.

    Update  v <- beta v - eta grad f(w + beta v),  w <- w + v    (5.36)

    Parameters: ``learning_rate`` eta, ``momentum`` beta in [0, 1). State: ``v_``.

    >>> optimizer, w = Nesterov(learning_rate=0.1, momentum=0.9), 1.0
    >>> for _ in range(3):
    ...     w = optimizer.step(w, lambda w: w)
    >>> print(round(w, 6))
    0.51759
    """

    learning_rate: float | Callable = 0.1
    momentum: float = 0.9

    _state: ClassVar[tuple] = ("v_",)

    def _update(self, w, gradient, eta):
        # 1. Look ahead along the old velocity
        ahead = w + self.momentum * self.v_
        # 2. Keep a part of the velocity and accelerate by the slope there
        self.v_ = self.momentum * self.v_ - eta * gradient(ahead)
        # 3. Move with the new velocity
        return w + self.v_

    def _check(self):
        _check_fraction(self.momentum, "momentum")


@dataclass(eq=False)
class AdaGrad(Optimizer):
    """AdaGrad: each entry of w has its own rate, which falls as its squared slopes add up.

    Update  s <- s + g^2,  w <- w - eta g / (sqrt(s) + eps)      entry by entry (5.39)

    Parameters: ``learning_rate`` eta, ``eps`` > 0. State: ``s_``.

    >>> AdaGrad(learning_rate=0.1).step([0.0, 0.0], lambda w: [0.5, -2.0]).round(6)
    array([-0.1,  0.1])
    """

    learning_rate: float | Callable = 0.1
    eps: float = 1e-8

    _state: ClassVar[tuple] = ("s_",)

    def _update(self, w, gradient, eta):
        g = gradient(w)
        # 1. Add up the squared slopes of each entry
        self.s_ = self.s_ + g**2
        # 2. Divide by their root: steep entries get short steps
        return w - eta * g / (np.sqrt(self.s_) + self.eps)

    def _check(self):
        check_number(self.eps, "eps", low=0, open_low=True)


@dataclass(eq=False)
class RMSProp(Optimizer):
    """RMSProp: AdaGrad with a memory that fades, so that the steps need not die out.

    Update  s <- rho s + (1 - rho) g^2,  w <- w - eta g / (sqrt(s) + eps)      entry by entry (5.40)

    Parameters: ``learning_rate`` eta, ``decay`` rho in [0, 1), ``eps`` > 0. State: ``s_``.

    >>> RMSProp(learning_rate=0.1).step([0.0, 0.0], lambda w: [0.5, -2.0]).round(6)
    array([-0.316228,  0.316228])
    """

    learning_rate: float | Callable = 0.01
    decay: float = 0.9
    eps: float = 1e-8

    _state: ClassVar[tuple] = ("s_",)

    def _update(self, w, gradient, eta):
        g = gradient(w)
        # 1. Average the squared slopes, the latest counting most
        self.s_ = self.decay * self.s_ + (1 - self.decay) * g**2
        # 2. Divide by their root
        return w - eta * g / (np.sqrt(self.s_) + self.eps)

    def _check(self):
        _check_fraction(self.decay, "decay")
        check_number(self.eps, "eps", low=0, open_low=True)


@dataclass(eq=False)
class Adam(Optimizer):
    """Adam: fading averages of the slope and of its square, both corrected for their start at 0.

    Update  m <- b1 m + (1 - b1) g,  s <- b2 s + (1 - b2) g^2                         entry by entry (5.42)
            w <- w - eta m' / (sqrt(s') + eps),  m' = m / (1 - b1^(k+1)),  s' = s / (1 - b2^(k+1))

    Parameters: ``learning_rate`` eta, ``beta1`` and ``beta2`` in [0, 1), ``eps`` > 0. State: ``m_``, ``s_``.

    >>> Adam(learning_rate=0.1).step([0.0, 0.0], lambda w: [0.5, -2.0]).round(6)
    array([-0.1,  0.1])
    """

    learning_rate: float | Callable = 0.001
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8

    _state: ClassVar[tuple] = ("m_", "s_")

    def _update(self, w, gradient, eta):
        g = gradient(w)
        # 1. Average the slopes and their squares, the latest counting most
        self.m_ = self.beta1 * self.m_ + (1 - self.beta1) * g
        self.s_ = self.beta2 * self.s_ + (1 - self.beta2) * g**2
        # 2. Correct the bias towards the start at 0: the weights given so far sum to 1 - beta^(k+1) (5.41)
        m = self.m_ / (1 - self.beta1 ** (self.k_ + 1))
        s = self.s_ / (1 - self.beta2 ** (self.k_ + 1))
        # 3. Step along the mean slope, measured in root mean squares
        return w - eta * m / (np.sqrt(s) + self.eps)

    def _check(self):
        _check_fraction(self.beta1, "beta1")
        _check_fraction(self.beta2, "beta2")
        check_number(self.eps, "eps", low=0, open_low=True)


@dataclass(eq=False)
class AdamW(Adam):
    """Adam with weight decay beside the slope, so that all weights shrink alike, whatever their slopes.

    Update  w <- (1 - eta omega) w, and Adam's step from its averages of the slope alone      (5.43)

    Parameter, beside Adam's: ``weight_decay`` omega >= 0. State: ``m_``, ``s_``.

    >>> AdamW(learning_rate=0.1, weight_decay=0.5).step([2.0, 2.0], lambda w: [0.5, -2.0]).round(6)
    array([1.8, 2. ])
    """

    weight_decay: float = 0.01

    def _update(self, w, gradient, eta):
        return super()._update(w, gradient, eta) - eta * self.weight_decay * w

    def _check(self):
        super()._check()
        check_number(self.weight_decay, "weight_decay", low=0)


@dataclass(eq=False)
class Newton(Optimizer):
    """Newton's method: jump to where the slope of the local quadratic model vanishes.

    Update  w <- w - eta H^-1 g,  H the matrix of second derivatives at w      (5.45)

    That point is a minimum only where H is positive definite; elsewhere it may be a saddle or a maximum.

    Parameters: ``hessian``, a function of w (d,) that returns H (d, d); ``learning_rate`` eta, 1 for the full step.

    >>> Newton(hessian=lambda w: [[2.0, 0.0], [0.0, 50.0]]).step([3.0, 1.0], lambda w: w * [2, 50])
    array([0., 0.])
    """

    hessian: Callable
    learning_rate: float | Callable = 1.0

    def _update(self, w, gradient, eta):
        if w.ndim != 1:
            raise ValueError(f"Newton's method needs w of shape (d,); got {w.shape}.")
        g, H = gradient(w), self._hessian_at(w)
        if not (np.isfinite(g).all() and np.isfinite(H).all()):
            return np.full_like(w, np.nan)
        if not g.any():
            return w
        if _singular(H):
            raise ValueError(f"the hessian is singular at w = {w}, so there is no Newton step; start elsewhere.")
        return w - eta * np.linalg.solve(H, g)

    def _hessian_at(self, w):
        H = _numbers(self.hessian(w.copy()), "hessian")
        if H.shape != (len(w), len(w)):
            raise ValueError(f"hessian must return shape {(len(w), len(w))}; got {H.shape}.")
        if np.isfinite(H).all() and not np.allclose(H, H.T, rtol=1e-8, atol=1e-8 * np.abs(H).max()):
            raise ValueError("hessian must return a symmetric matrix.")
        return H

    def _check(self):
        if not callable(self.hessian):
            raise TypeError(f"hessian must be a function of w; got {type(self.hessian).__name__}.")


def _singular(H):
    """Say whether H is singular to working precision, whatever the units of the weights."""
    scale = np.sqrt(np.abs(np.diag(H)))
    scale[scale == 0] = 1
    return np.linalg.cond(H / np.outer(scale, scale)) > 1 / np.finfo(float).eps


def _gradient_at(gradient, w):
    """Return gradient(w) as an array of the shape of w; it may overflow, it must not have another shape."""
    g = _numbers(gradient(np.array(w)), "gradient")
    if g.shape != np.shape(w):
        raise ValueError(f"gradient must return the shape of w, {np.shape(w)}; got {g.shape}.")
    return g


def _numbers(values, name):
    values = np.asarray(values)
    if values.dtype.kind not in "fiu":
        raise ValueError(f"{name} must return real numbers; got an array of type {values.dtype}.")
    return values.astype(float, copy=False)


def _check_fraction(value, name):
    check_number(value, name, low=0, high=1, open_high=True)
