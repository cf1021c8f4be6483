"""All explorers, each a function that returns a widget: ``explore.soft_margin()``; ``explore.gallery()`` has them all.

Some show your own data, as ``explore.soft_margin(X, y)``: ``explore.takes_data()`` says which, and what each asks for.

``REGISTRY`` maps a name to the function that makes it. The explorers of a chapter live in the module of its slug.
"""
# ruff: noqa: F401

from mlteach.explore.autoencoders import adversarial_digit, alarm_threshold, gan_game, latent_walk, linear_copy
from mlteach.explore.bandits import arm_by_arm, drift_tracking, play_two_arms, regret_race
from mlteach.explore.base import REGISTRY, Explorer, Scene, explorer
from mlteach.explore.bayesian_learning import beta_updating, credible_coverage, one_or_all, unwrap_candies
from mlteach.explore.bayesian_networks import (
    evidence_flow,
    inference_cost,
    open_paths,
    rainy_walk,
    sampling_race,
    table_counts,
)
from mlteach.explore.clustering import bound_touch, em_climb, how_many, k_means_steps, soft_to_hard
from mlteach.explore.convolution import feature_maps, frozen_layers, kernel_drawing, slide_kernel
from mlteach.explore.decision_trees import attribute_choice, choose_split, pruning_steps, tree_growth
from mlteach.explore.deep_learning import (
    backward_walk,
    initial_scale,
    patience_watch,
    penalty_and_dropout,
    short_cuts,
    sub_networks,
)
from mlteach.explore.ensembles import (
    adaboost_rounds,
    cascade_threshold,
    forest_size,
    gated_experts,
    majority_vote,
    margin_growth,
    mean_of_predictors,
)
from mlteach.explore.evaluation import (
    decision_threshold,
    fold_count,
    interval_coverage,
    loss_shapes,
    paired_comparison,
)
from mlteach.explore.gallery import gallery
from mlteach.explore.gaussian_processes import condition_pair, evidence_balance, evidence_hills, points_arrive
from mlteach.explore.generative_classifiers import class_boundary, repeated_evidence, word_smoothing
from mlteach.explore.hidden_markov import (
    chain_playground,
    many_climbs,
    new_evidence,
    robot_corridor,
    trellis_paths,
)
from mlteach.explore.kernels import gram_picture, kernel_perceptron_run, kernel_ridge_fit, lifted_rings
from mlteach.explore.latent_factors import component_count, digit_turns, noisy_sensor, turn_axis, unmix_signals
from mlteach.explore.learning_problems import boundary_sets, checkers_board, checkers_learning, version_space
from mlteach.explore.learning_theory import finite_promise, one_sine, ray_limits, shattering_game, tilted_lunch
from mlteach.explore.linear_classification import (
    ambiguous_regions,
    fisher_projection,
    outlier_pull,
    perceptron_steps,
    plane_geometry,
)
from mlteach.explore.linear_regression import basis_functions, line_by_hand, lms_rate, polynomial_degree
from mlteach.explore.logistic_regression import (
    decision_band,
    irls_race,
    loss_landscapes,
    poisson_trend,
    separation_penalty,
    softmax_regions,
)
from mlteach.explore.mdp import gambler_stakes, grid_rules, ice_horizon, salmon_fishing, value_sweeps
from mlteach.explore.model_selection import five_knobs, sixteen_subsets, two_errors, winner_of_many, wrong_way
from mlteach.explore.monte_carlo import (
    behaviour_spread,
    decision_map,
    endless_variance,
    episodes_and_error,
    loop_visits,
)
from mlteach.explore.nearest_neighbors import (
    ask_neighbors,
    feature_scale,
    local_regressions,
    neighbor_count,
    useless_features,
)
from mlteach.explore.neural_networks import (
    bent_planes,
    saturation_depth,
    spiral_network,
    staircase_units,
    two_weights,
)
from mlteach.explore.optimization import (
    batch_noise,
    momentum_balance,
    optimizer_race,
    quadratic_descent,
    quadratic_upper_model,
    schedules,
)
from mlteach.explore.own import read_csv, takes_data
from mlteach.explore.policy_search import (
    corridor_climb,
    diverging_fit,
    gradient_noise,
    grid_resolution,
    perturbations,
)
from mlteach.explore.pomdp import bracket_bounds, plan_and_walk, sensor_and_costs, tiger_game
from mlteach.explore.probability import (
    bayes_rule,
    binomial_to_poisson,
    bivariate_gaussian,
    central_limit,
    distributions,
    jensen,
    joint_table,
)
from mlteach.explore.regularization import (
    bayesian_line,
    curse,
    lasso_path,
    penalty_balls,
    ridge_penalty,
    soft_threshold_view,
)
from mlteach.explore.start_here import first_fit
from mlteach.explore.svm import kernel_width, margin_by_hand, smo_steps, soft_margin, svr_tube
from mlteach.explore.temporal_difference import cliff_lines, rising_table, traces_behind, walk_values
