"""The loss landscape between relabelled minima: second derivatives, paths, saddles, and how many of each.

``vector``, ``hessian`` and ``inertia`` are the calculus: parameters as one vector, exact second derivatives,
signs of eigenvalues. ``counting`` counts critical points and affine subspaces in exact integers.
"""
