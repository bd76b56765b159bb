(** * Training cannot break the symmetry

    One step of gradient descent is theta - alpha grad.  Batches, their sizes and
    the step sizes are arbitrary sequences. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation forward backward.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** A batch: some number of samples, their inputs X and their targets Y. *)
Record batch (R : comRingType) (d q : nat) := Batch {
  samples : nat;
  inputs : 'M[R]_(samples, d);
  targets : 'M[R]_(samples, q)
}.

Section Training.

Variables (R : comRingType) (d h q : nat).
Variables (sigma sigma' : R -> R) (err : output_error R q).
Implicit Types (theta : params R d h q) (s : 'S_h) (alpha : nat -> R).
Implicit Type batches : nat -> batch R d q.

(** ** Gradient descent *)

Definition step (a : R) (B : batch R d q) theta : params R d h q :=
  theta - a *: grad sigma sigma' err (inputs B) (targets B) theta.

(** The parameters after t steps from theta0; step t uses batch t and step size t. *)
Fixpoint sgd alpha batches theta0 (t : nat) : params R d h q :=
  if t is t'.+1 then step (alpha t') (batches t') (sgd alpha batches theta0 t') else theta0.

(** ** Theorems *)

Lemma relabelD s theta theta' : relabel s (theta + theta') = relabel s theta + relabel s theta'.
Proof. by rewrite /relabel [W1 _]/(_ + _) [b1 _]/(_ + _) [W2 _]/(_ + _) !mulmxDl mulmxDr. Qed.

Lemma relabelB s theta theta' : relabel s (theta - theta') = relabel s theta - relabel s theta'.
Proof. by rewrite /relabel [W1 _]/(_ - _) [b1 _]/(_ - _) [W2 _]/(_ - _) !mulmxBl mulmxBr. Qed.

Lemma relabelZ s (a : R) theta : relabel s (a *: theta) = a *: relabel s theta.
Proof.
by rewrite /relabel [W1 _]/(_ *: _) [b1 _]/(_ *: _) [W2 _]/(_ *: _) -!scalemxAl -scalemxAr.
Qed.

(* supports: cor-training-invariance *)
(* One step, from relabelled weights, lands on the relabelled result. *)
Theorem step_relabel a B s theta : step a B (relabel s theta) = relabel s (step a B theta).
Proof. by rewrite /step backward_invariance relabelB relabelZ. Qed.

Lemma sgd_relabel alpha batches s theta0 t :
  sgd alpha batches (relabel s theta0) t = relabel s (sgd alpha batches theta0 t).
Proof. by elim: t => //= t ->; apply: step_relabel. Qed.

(* slug: cor-training-invariance *)
(* Two trainings that start related by s, on the same batches, stay related by s
   at every step t and compute the same outputs on every input. *)
Corollary training_invariance alpha batches s theta0 t :
  sgd alpha batches (relabel s theta0) t = relabel s (sgd alpha batches theta0 t) /\
  forall n (X : 'M[R]_(n, d)),
    O sigma X (sgd alpha batches (relabel s theta0) t) = O sigma X (sgd alpha batches theta0 t).
Proof. by rewrite sgd_relabel; split=> // n X; apply: O_relabel. Qed.

(* supports: prop-identical-units-stay-identical *)
(* A relabelling that changes nothing at the start changes nothing later. *)
Theorem fixed_stays_fixed alpha batches s theta0 :
  relabel s theta0 = theta0 ->
  forall t, relabel s (sgd alpha batches theta0 t) = sgd alpha batches theta0 t.
Proof. by move=> fix_s t; rewrite -sgd_relabel fix_s. Qed.

(* slug: prop-identical-units-stay-identical *)
(* Two hidden units that start identical are identical after every step. *)
Theorem identical_units_stay_identical alpha batches theta0 i j :
  hidden_unit theta0 i = hidden_unit theta0 j ->
  forall t, hidden_unit (sgd alpha batches theta0 t) i = hidden_unit (sgd alpha batches theta0 t) j.
Proof. by move=> /swap_fixP same t; apply/swap_fixP/fixed_stays_fixed. Qed.

(** ** Noise in the batches *)

(** N samples are stored.  Step t draws m t of them, in any order and with any
    repetition, and passes them through any transformation: crops, reflections,
    added noise, mixtures of samples, changed targets. *)
Record noise (N : nat) := Noise {
  drawn : nat;
  draw : 'I_drawn -> 'I_N;
  augment : 'M[R]_(drawn, d) -> 'M[R]_(drawn, d);
  retarget : 'M[R]_(drawn, q) -> 'M[R]_(drawn, q)
}.

Arguments draw {N} xi i : rename.
Arguments augment {N} xi X : rename.
Arguments retarget {N} xi Y : rename.

Definition noisy_batch N (X : 'M[R]_(N, d)) (Y : 'M[R]_(N, q)) (xi : noise N) : batch R d q :=
  Batch (augment xi (rowsub (draw xi) X)) (retarget xi (rowsub (draw xi) Y)).

(* slug: prop-noise-does-not-break *)
(* Whatever the noise draws and however it transforms the samples, the relabelled
   training stays the relabelled training, and identical units stay identical. *)
Theorem noise_does_not_break N (X : 'M[R]_(N, d)) (Y : 'M[R]_(N, q)) (xi : nat -> noise N)
    alpha theta0 :
  let train theta t := sgd alpha (fun t => noisy_batch X Y (xi t)) theta t in
  (forall s t, train (relabel s theta0) t = relabel s (train theta0 t)) /\
  (forall i j, hidden_unit theta0 i = hidden_unit theta0 j ->
     forall t, hidden_unit (train theta0 t) i = hidden_unit (train theta0 t) j).
Proof.
by split=> [s t | i j same t]; [apply: sgd_relabel | apply: identical_units_stay_identical].
Qed.

End Training.

Arguments step {R d h q} sigma sigma' err a B theta.
Arguments sgd {R d h q} sigma sigma' err alpha batches theta0 t.
