(** * The backward pass relabels in lockstep

    The chapter's gradient formulas.  delta_O is the error at the output; for the
    squared error it is O - Y, and here it may be any function [err] of O and Y.
    sigma' may be any function too: only gradient.v needs it to be a derivative. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation forward.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** A notion of error at the output, for every number n of samples. *)
Definition output_error (R : comRingType) q : Type :=
  forall n, 'M[R]_(n, q) -> 'M[R]_(n, q) -> 'M[R]_(n, q).

(** The squared error (1/2) |O - Y|^2 gives delta_O = O - Y. *)
Definition residual (R : comRingType) q : output_error R q := fun n O Y => O - Y.

Section Backward.

Variables (R : comRingType) (d h q : nat).
Implicit Types (theta : params R d h q) (s : 'S_h).

Variables (sigma sigma' : R -> R) (err : output_error R q).

Section Batch.

Variables (n : nat) (X : 'M[R]_(n, d)) (Y : 'M[R]_(n, q)).

(** ** The formulas *)

Definition delta_O theta : 'M[R]_(n, q) := err (O sigma X theta) Y.
Definition delta_H theta : 'M[R]_(n, h) :=
  (delta_O theta *m (W2 theta)^T) ⊙ map_mx sigma' (Z X theta).

(** The derivatives by W1, b1, W2 and b2; 1^T delta sums delta over the samples. *)
Definition grad theta : params R d h q :=
  (X^T *m delta_H theta, (ones n)^T *m delta_H theta,
   (H sigma X theta)^T *m delta_O theta, (ones n)^T *m delta_O theta).

(** ** The theorem *)

(* supports: thm-backward-invariance *)
(* The error at the output does not change. *)
Lemma delta_O_relabel s theta : delta_O (relabel s theta) = delta_O theta.
Proof. by rewrite /delta_O O_relabel. Qed.

(* supports: thm-backward-invariance *)
(* The error at the hidden layer is permuted with the units. *)
Lemma delta_H_relabel s theta : delta_H (relabel s theta) = delta_H theta *m P s.
Proof.
rewrite /delta_H delta_O_relabel Z_relabel elementwise_commutes -hadamard_commutes.
by rewrite [W2 _]/(_ *m _) trmx_mul trmxK mulmxA.
Qed.

(* slug: thm-backward-invariance *)
(* The gradient at the relabelled weights is the relabelled gradient: its blocks
   for W1 and b1 are multiplied by P, its block for W2 by P^T, its block for b2
   stays. *)
Theorem backward_invariance s theta : grad (relabel s theta) = relabel s (grad theta).
Proof.
rewrite /grad delta_H_relabel delta_O_relabel H_relabel trmx_mul.
by congr (_, _, _, _); rewrite ?mulmxA // -mulmxA.
Qed.

End Batch.

End Backward.

Arguments residual {R q} [n] O Y.
Arguments delta_O {R d h q} sigma err {n} X Y theta.
Arguments delta_H {R d h q} sigma sigma' err {n} X Y theta.
Arguments grad {R d h q} sigma sigma' err {n} X Y theta.
