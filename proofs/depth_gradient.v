(** * The formulas are the gradient, at any depth *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation forward backward training depth gradient.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** A function applied to every weight of every layer. *)
Fixpoint map_net (A R : comRingType) (f : A -> R) d hs q : net A d hs q -> net R d hs q :=
  if hs is h :: hs' then fun theta =>
    (map_mx f theta.1.1, map_mx f theta.1.2, map_net f theta.2)
  else fun theta => (map_mx f theta.1, map_mx f theta.2).

(** The sum over all layers of the inner products of weights and of biases. *)
Fixpoint inner_net (R : comRingType) d hs q : net R d hs q -> net R d hs q -> R :=
  if hs is h :: hs' then fun g v =>
    inner g.1.1 v.1.1 + inner g.1.2 v.1.2 + inner_net g.2 v.2
  else fun g v => inner g.1 v.1 + inner g.2 v.2.

Section DeepGradient.

Variables (A R : comRingType) (dv : derivative A R).
Local Notation value := (value dv).
Local Notation D := (D dv).

Lemma value_deep_O lift sigma sigma' n d hs q (X : 'M[A]_(n, d)) (theta : net A d hs q) :
  chain_rule dv lift sigma sigma' ->
  map_mx value (deep_O lift X theta) = deep_O sigma (map_mx value X) (map_net value theta).
Proof.
move=> rule; elim: hs d X theta => [|h hs IH] d X theta /=.
  exact: value_layer.
by rewrite IH (value_lift rule) value_layer.
Qed.

(** Back-propagation carries an error at the output back to all weights and to the
    input. *)
Lemma backprop_formulas lift sigma sigma' n d hs q (X : 'M[A]_(n, d)) (theta : net A d hs q) E :
  chain_rule dv lift sigma sigma' ->
  inner E (map_mx D (deep_O lift X theta)) =
  let: (g, delta) := backprop sigma sigma' (map_mx value X) E (map_net value theta) in
  inner_net g (map_net D theta) + inner delta (map_mx D X).
Proof.
move=> rule; elim: hs d X theta => [|h hs IH] d X /= => [[W b] | [[W b] theta]] /=.
  exact: D_layer.
rewrite IH (value_lift rule) value_layer; case: backprop => g delta /=.
rewrite (D_lift rule) value_layer inner_hadamard D_layer.
by rewrite addrA [inner_net _ _ + _]addrC.
Qed.

(* supports: thm-deep-invariance *)
(* For any list of hidden widths: along every curve theta of parameters, the
   derivative of the loss is the inner product of what back-propagation computes
   with the derivative of theta. *)
Theorem deep_gradient_formulas d hs q n lift sigma sigma' loss err
    (X : 'M[A]_(n, d)) (Y : 'M[A]_(n, q)) (theta : net A d hs q) :
  chain_rule dv lift sigma sigma' -> loss_derivative dv loss err ->
  map_mx D X = 0 -> map_mx D Y = 0 ->
  D (loss n (deep_O lift X theta) Y) =
  inner_net
    (deep_grad sigma sigma' err (map_mx value X) (map_mx value Y) (map_net value theta))
    (map_net D theta).
Proof.
move=> rule loss_rule X_const Y_const; rewrite loss_rule // (value_deep_O _ _ rule).
rewrite (backprop_formulas _ _ _ rule) /deep_grad.
by case: backprop => g delta /=; rewrite X_const inner0r addr0.
Qed.

End DeepGradient.
