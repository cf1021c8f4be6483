"""Hidden Markov models (chapter 31): follow what cannot be seen.

`MarkovChain` is a chain in sight, `HMM` one that is hidden: `filter`, `predict`, `smooth` and `viterbi` answer the
four questions, `fit` learns by Baum-Welch, `fit_supervised` by counting. `particle_filter` follows a belief with
guesses; `align_states` matches the states of two models. The passes themselves stand in files of their own:
`forward`, `scaled_forward`, `log_forward`, `backward`, `e_step`, `m_step`, `all_paths`.
"""

from mlteach.hidden_markov.align import align_states
from mlteach.hidden_markov.backward import backward, scaled_backward
from mlteach.hidden_markov.baum_welch import Climb, Expected, e_step, m_step
from mlteach.hidden_markov.chain import MarkovChain
from mlteach.hidden_markov.emissions import GaussianEmission, PoissonEmission, TableEmission
from mlteach.hidden_markov.forward import Filtered, forward, log_forward, run_forward, scaled_forward
from mlteach.hidden_markov.model import HMM
from mlteach.hidden_markov.particles import Particles, particle_filter, resample
from mlteach.hidden_markov.ready import casino, corridor, fog, fork, traffic_light, umbrella
from mlteach.hidden_markov.starts import fit_from_starts, n_parameters
from mlteach.hidden_markov.viterbi import all_paths, viterbi

__all__ = [
    "Climb",
    "Expected",
    "Filtered",
    "GaussianEmission",
    "HMM",
    "MarkovChain",
    "Particles",
    "PoissonEmission",
    "TableEmission",
    "align_states",
    "all_paths",
    "backward",
    "casino",
    "corridor",
    "e_step",
    "fit_from_starts",
    "fog",
    "fork",
    "forward",
    "log_forward",
    "m_step",
    "n_parameters",
    "particle_filter",
    "resample",
    "run_forward",
    "scaled_backward",
    "scaled_forward",
    "traffic_light",
    "umbrella",
    "viterbi",
]
