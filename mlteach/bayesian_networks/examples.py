"""Networks that the chapter talks about (sections 11.1, 11.4 and 11.8)."""

from mlteach.bayesian_networks.hybrid import LinearGaussian, Probit
from mlteach.bayesian_networks.network import BayesNet


def burglary():
    """Return the alarm that burglars and small earthquakes set off, with two neighbours who may call.

    >>> round(burglary().query("Burglary", {"JohnCalls": True, "MaryCalls": True})[True], 3)
    0.284
    """
    net = BayesNet()
    net.add("Burglary", table=0.001)
    net.add("Earthquake", table=0.002)
    both = {(True, True): 0.95, (True, False): 0.94, (False, True): 0.29, (False, False): 0.001}
    net.add("Alarm", ("Burglary", "Earthquake"), both)
    net.add("JohnCalls", ("Alarm",), {True: 0.90, False: 0.05})
    net.add("MaryCalls", ("Alarm",), {True: 0.70, False: 0.01})
    return net


def late_to_meeting():
    """Return the way to a meeting: by car or bicycle, jam and rain, and what happens to somebody who is late.

    Wait: the chairwoman waits. Demo: the boss gives the demonstration instead.

    >>> case = {"Jam": True, "Car": False, "Rain": False, "Late": False, "Wait": False, "Demo": True}
    >>> round(late_to_meeting().joint(case), 6)
    0.005299
    """
    net = BayesNet()
    net.add("Car", table=0.65)
    net.add("Jam", table=0.05)
    net.add("Rain", table=0.25)
    late = {
        (True, True, True): 0.85, (True, True, False): 0.80, (True, False, True): 0.20, (True, False, False): 0.10,
        (False, True, True): 0.60, (False, True, False): 0.05, (False, False, True): 0.60, (False, False, False): 0.05,
    }  # fmt: skip
    net.add("Late", ("Car", "Jam", "Rain"), late)
    net.add("Wait", ("Late",), {True: 0.60, False: 0.15})
    net.add("Demo", ("Late",), {True: 0.95, False: 0.50})
    return net


def chest_clinic():
    """Return Lauritzen and Spiegelhalter's chest clinic (1988), "Asia": three diseases, two symptoms, two causes."""
    net = BayesNet()
    net.add("Asia", table=0.01)
    net.add("Smoker", table=0.5)
    net.add("Tuberculosis", ("Asia",), {True: 0.05, False: 0.01})
    net.add("Cancer", ("Smoker",), {True: 0.10, False: 0.01})
    net.add("Bronchitis", ("Smoker",), {True: 0.60, False: 0.30})
    either = {(True, True): 1, (True, False): 1, (False, True): 1, (False, False): 0}
    net.add("Shadow", ("Tuberculosis", "Cancer"), either)
    net.add("XRay", ("Shadow",), {True: 0.98, False: 0.05})
    breath = {(True, True): 0.9, (True, False): 0.7, (False, True): 0.8, (False, False): 0.1}
    net.add("ShortBreath", ("Shadow", "Bronchitis"), breath)
    return net


def rainy_walk(mu=10.0, sigma=2.0):
    """Return the hybrid network: Rain (mm/h) and an Umbrella make one Late (minutes), and the chairwoman Waits or not.

    ``mu`` and ``sigma`` are the threshold of her patience and its softness, in minutes.
    """
    net = BayesNet()
    net.add("Umbrella", table=0.4)
    net.add("Rain", table=LinearGaussian((), 4.0, 1.5))
    net.add("Late", ("Umbrella", "Rain"), {True: LinearGaussian(0.5, 2.0, 1.5), False: LinearGaussian(2.0, 1.0, 3.0)})
    net.add("Wait", ("Late",), Probit(mu, sigma))
    return net
