(** * Any depth

    A network with d inputs, hidden layers of widths hs and q outputs; every hidden
    layer has its own permutation. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation forward backward training.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** ** Networks and permutations, layer by layer *)

(** The weights and biases of all layers: (W, b) for the last layer, and (W, b, the
    rest) for one with a hidden layer of h units after it. *)
Fixpoint net (R : comRingType) (d : nat) (hs : seq nat) (q : nat) : lmodType R :=
  if hs is h :: hs' then [lmodType R of 'M[R]_(d, h) * 'M[R]_(1, h) * net R h hs' q]
  else [lmodType R of 'M[R]_(d, q) * 'M[R]_(1, q)].

(** One permutation for each hidden layer; together they form a group. *)
Fixpoint perms (hs : seq nat) : finGroupType :=
  if hs is h :: hs' then [finGroupType of 'S_h * perms hs'] else [finGroupType of 'S_0].

Section Depth.

Variables (R : comRingType) (q : nat).
Variables (sigma sigma' : R -> R) (err : output_error R q).

(** With s on the units below and p on those of the hidden layers, every W becomes
    P^T W P, with the permutations below and above it, and every b becomes b P. *)
Fixpoint relabel_from d hs (s : 'S_d) : perms hs -> net R d hs q -> net R d hs q :=
  if hs is h :: hs' then fun p theta =>
    ((P s)^T *m theta.1.1 *m P p.1, theta.1.2 *m P p.1, relabel_from p.1 p.2 theta.2)
  else fun _ theta => ((P s)^T *m theta.1, theta.2).

(** The inputs keep their order. *)
Definition deep_relabel d hs : perms hs -> net R d hs q -> net R d hs q := relabel_from 1.

(** ** Forward and backward *)

Fixpoint deep_O n d hs (X : 'M[R]_(n, d)) : net R d hs q -> 'M[R]_(n, q) :=
  if hs is h :: hs' then fun theta =>
    deep_O (map_mx sigma (X *m theta.1.1 + ones n *m theta.1.2)) theta.2
  else fun theta => X *m theta.1 + ones n *m theta.2.

(** From the error delta_O at the output: the gradient of all layers, and the error
    at the input X, delta W^T. *)
Fixpoint backprop n d hs (X : 'M[R]_(n, d)) (delta_O : 'M[R]_(n, q)) :
    net R d hs q -> net R d hs q * 'M[R]_(n, d) :=
  if hs is h :: hs' then fun theta =>
    let Z := X *m theta.1.1 + ones n *m theta.1.2 in
    let: (g, delta) := backprop (map_mx sigma Z) delta_O theta.2 in
    let delta_H := delta ⊙ map_mx sigma' Z in
    ((X^T *m delta_H, (ones n)^T *m delta_H, g), delta_H *m theta.1.1^T)
  else fun theta => ((X^T *m delta_O, (ones n)^T *m delta_O), delta_O *m theta.1^T).

Definition deep_grad n d hs (X : 'M[R]_(n, d)) (Y : 'M[R]_(n, q)) (theta : net R d hs q) :
    net R d hs q :=
  (backprop X (err (deep_O X theta) Y) theta).1.

(** ** Training *)

Fixpoint deep_sgd d hs (alpha : nat -> R) (batches : nat -> batch R d q) (theta0 : net R d hs q)
    (t : nat) : net R d hs q :=
  if t is t'.+1 then
    let theta := deep_sgd alpha batches theta0 t' in
    theta - alpha t' *: deep_grad (inputs (batches t')) (targets (batches t')) theta
  else theta0.

(** ** One hidden layer is the network of the chapter *)

(* supports: thm-deep-invariance *)
(* For hs = [h], outputs, gradients and relabellings are those of the chapter. *)
Theorem depth_one n d h (X : 'M[R]_(n, d)) (Y : 'M[R]_(n, q)) (theta : params R d h q) (s : 'S_h) :
  let deep (theta : params R d h q) : net R d [:: h] q :=
    (W1 theta, b1 theta, (W2 theta, b2 theta)) in
  [/\ deep_O X (deep theta) = O sigma X theta,
      deep_grad X Y (deep theta) = deep (grad sigma sigma' err X Y theta)
    & deep_relabel ((s, 1%g) : perms [:: h]) (deep theta) = deep (relabel s theta)].
Proof.
by split=> //; rewrite /deep_relabel /= P1 trmx1 mul1mx.
Qed.

(** ** The theorem *)

Lemma Z_from n d h (X : 'M[R]_(n, d)) (s : 'S_d) (t : 'S_h) W b :
  X *m P s *m ((P s)^T *m W *m P t) + ones n *m (b *m P t) = (X *m W + ones n *m b) *m P t.
Proof. by rewrite mulmxDl !mulmxA -[X *m _ *m _]mulmxA PPT mulmx1. Qed.

Lemma deep_O_from n d hs (X : 'M[R]_(n, d)) s p (theta : net R d hs q) :
  deep_O (X *m P s) (relabel_from s p theta) = deep_O X theta.
Proof.
elim: hs d X s p theta => [|h hs IH] d X s /= => [_ [W b] | [t p] [[W b] theta]] /=.
  by rewrite mulmxA -[X *m _ *m _]mulmxA PPT mulmx1.
by rewrite Z_from elementwise_commutes IH.
Qed.

Lemma back_from n d h (delta : 'M[R]_(n, h)) (s : 'S_d) (t : 'S_h) W :
  delta *m (P t *m ((P s)^T *m (W *m P t))^T) = delta *m (W^T *m P s).
Proof. by rewrite !trmx_mul trmxK !mulmxA -[delta *m _ *m _]mulmxA PPT mulmx1. Qed.

Lemma backprop_from n d hs (X : 'M[R]_(n, d)) delta_O s p (theta : net R d hs q) :
  backprop (X *m P s) delta_O (relabel_from s p theta) =
  let: (g, delta) := backprop X delta_O theta in (relabel_from s p g, delta *m P s).
Proof.
elim: hs d X s p theta => [|h hs IH] d X s /= => [_ [W b] | [t p] [[W b] theta]] /=.
  by rewrite !trmx_mul trmxK !mulmxA.
rewrite Z_from elementwise_commutes IH; case: backprop => g delta /=.
by rewrite elementwise_commutes hadamard_commutes trmx_mul -!mulmxA back_from.
Qed.

Lemma deep_O_relabel n d hs (X : 'M[R]_(n, d)) p (theta : net R d hs q) :
  deep_O X (deep_relabel p theta) = deep_O X theta.
Proof. by have:= deep_O_from X 1 p theta; rewrite P1 mulmx1. Qed.

Lemma deep_grad_relabel n d hs (X : 'M[R]_(n, d)) Y p (theta : net R d hs q) :
  deep_grad X Y (deep_relabel p theta) = deep_relabel p (deep_grad X Y theta).
Proof.
have := backprop_from X (err (deep_O X theta) Y) 1 p theta.
by rewrite P1 mulmx1 /deep_grad deep_O_relabel => ->; case: backprop.
Qed.

Lemma relabel_fromB d hs s p (theta theta' : net R d hs q) :
  relabel_from s p (theta - theta') = relabel_from s p theta - relabel_from s p theta'.
Proof.
elim: hs d s p theta theta' => [|h hs IH] d s p theta theta' /=; first by rewrite mulmxBr.
by rewrite IH mulmxBr !mulmxBl.
Qed.

Lemma relabel_fromZ d hs s p (a : R) (theta : net R d hs q) :
  relabel_from s p (a *: theta) = a *: relabel_from s p theta.
Proof.
elim: hs d s p theta => [|h hs IH] d s p theta /=; first by rewrite -scalemxAr.
by rewrite IH -scalemxAr -!scalemxAl.
Qed.

(* slug: thm-deep-invariance *)
(* For any list of hidden widths and any permutations p, one for each hidden layer:
   the output does not change, the gradient relabels as the weights do, and
   trainings that start related by p stay related by p at every step. *)
Theorem deep_invariance d hs (p : perms hs) (theta : net R d hs q) :
  [/\ forall n (X : 'M[R]_(n, d)), deep_O X (deep_relabel p theta) = deep_O X theta,
      forall n (X : 'M[R]_(n, d)) Y,
        deep_grad X Y (deep_relabel p theta) = deep_relabel p (deep_grad X Y theta)
    & forall alpha batches t,
        deep_sgd alpha batches (deep_relabel p theta) t =
        deep_relabel p (deep_sgd alpha batches theta t)].
Proof.
split=> [n X | n X Y | alpha batches t]; [exact: deep_O_relabel | exact: deep_grad_relabel |].
by elim: t => //= t ->; rewrite deep_grad_relabel /deep_relabel relabel_fromB relabel_fromZ.
Qed.

End Depth.
