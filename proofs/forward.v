(** * The forward pass is invariant

    The network of the chapter: Z = X W1 + b1, H = sigma(Z), O = H W2 + b2.
    Samples are rows, sigma is any function R -> R applied to each entry. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** ** Parameters, hidden units, relabelling *)

(** theta = (W1, b1, W2, b2): d inputs, h hidden units, q outputs. *)
Definition params (R : comRingType) (d h q : nat) : Type :=
  ('M[R]_(d, h) * 'M[R]_(1, h) * 'M[R]_(h, q) * 'M[R]_(1, q))%type.

Section Network.

Variables (R : comRingType) (d h q : nat).
Implicit Types (theta : params R d h q) (s t : 'S_h) (i j : 'I_h).

Definition W1 theta : 'M[R]_(d, h) := theta.1.1.1.
Definition b1 theta : 'M[R]_(1, h) := theta.1.1.2.
Definition W2 theta : 'M[R]_(h, q) := theta.1.2.
Definition b2 theta : 'M[R]_(1, q) := theta.2.

(** Unit j is its column of W1, its entry of b1 and its row of W2. *)
Definition hidden_unit theta j : 'cV[R]_d * R * 'rV[R]_q :=
  (col j (W1 theta), b1 theta 0 j, row j (W2 theta)).

(** The relabelling by s. *)
Definition relabel s theta : params R d h q :=
  (W1 theta *m P s, b1 theta *m P s, (P s)^T *m W2 theta, b2 theta).

(** ** The forward pass on a batch X of n samples *)

(** A column of n ones; [ones n *m b] repeats the row b for every sample. *)
Definition ones n : 'M[R]_(n, 1) := const_mx 1.

Variable sigma : R -> R.

Definition Z n (X : 'M[R]_(n, d)) theta : 'M[R]_(n, h) := X *m W1 theta + ones n *m b1 theta.
Definition H n (X : 'M[R]_(n, d)) theta : 'M[R]_(n, h) := map_mx sigma (Z X theta).
Definition O n (X : 'M[R]_(n, d)) theta : 'M[R]_(n, q) :=
  H X theta *m W2 theta + ones n *m b2 theta.

End Network.

Arguments W1 {R d h q} theta : simpl never.
Arguments b1 {R d h q} theta : simpl never.
Arguments W2 {R d h q} theta : simpl never.
Arguments b2 {R d h q} theta : simpl never.
Arguments hidden_unit {R d h q} theta j.
Arguments relabel {R d h q} s theta.
Arguments ones {R} n.
Arguments Z {R d h q n} X theta.
Arguments H {R d h q} sigma {n} X theta.
Arguments O {R d h q} sigma {n} X theta.

Section Relabelling.

Variables (R : comRingType) (d h q : nat).
Implicit Types (theta : params R d h q) (s t : 'S_h) (i j : 'I_h).

Lemma relabel1 theta : relabel 1 theta = theta.
Proof. by case: theta => [[[? ?] ?] ?]; rewrite /relabel P1 trmx1 !mulmx1 mul1mx. Qed.

Lemma relabelM s t theta : relabel (s * t) theta = relabel t (relabel s theta).
Proof. by rewrite /relabel PM trmx_mul !mulmxA. Qed.

Lemma relabelK s : cancel (@relabel R d h q s) (relabel s^-1).
Proof. by move=> theta; rewrite -relabelM mulgV relabel1. Qed.

Lemma relabelVK s : cancel (@relabel R d h q s^-1) (relabel s).
Proof. by move=> theta; rewrite -relabelM mulVg relabel1. Qed.

(* supports: def-permutation-symmetry *)
(* Relabelling moves units whole: the unit at new position s j is old unit j. *)
Lemma relabel_moves_units s theta j : hidden_unit (relabel s theta) (s j) = hidden_unit theta j.
Proof.
congr (_, _, _); last by apply/rowP=> k; rewrite [LHS]mxE [RHS]mxE; exact: permute_rows.
  by apply/colP=> k; rewrite [LHS]mxE [RHS]mxE; exact: permute_columns.
exact: permute_columns.
Qed.

(** A parameterization is its hidden units together with b2. *)
Lemma params_eqP theta theta' :
  (forall j, hidden_unit theta j = hidden_unit theta' j) -> b2 theta = b2 theta' ->
  theta = theta'.
Proof.
case: theta theta' => [[[? ?] ?] ?] [[[? ?] ?] ?] /= eq_units eq_b2.
congr (_, _, _, _) => //; apply/matrixP=> i j.
- by case: (eq_units j) => /colP/(_ i); rewrite !mxE.
- by rewrite ord1; case: (eq_units j).
- by case: (eq_units i) => _ _ /rowP/(_ j); rewrite !mxE.
Qed.

(* supports: prop-orbit-size *)
(* A relabelling changes nothing exactly when it permutes identical units. *)
Theorem relabel_fixP s theta :
  relabel s theta = theta <-> forall i, hidden_unit theta (s i) = hidden_unit theta i.
Proof.
split=> [fix_s i | same]; first by rewrite -{1}fix_s relabel_moves_units.
by apply: params_eqP => // j; rewrite -(permKV s j) relabel_moves_units same.
Qed.

(* supports: prop-identical-units-stay-identical *)
(* Units i and j are identical exactly when swapping them changes nothing. *)
Lemma swap_fixP i j theta :
  relabel (tperm i j) theta = theta <-> hidden_unit theta i = hidden_unit theta j.
Proof.
rewrite relabel_fixP; split=> [/(_ j) | same k]; first by rewrite tpermR.
by case: tpermP => // ->.
Qed.

(** ** The theorem *)

Variable sigma : R -> R.

Lemma Z_relabel n (X : 'M[R]_(n, d)) s theta : Z X (relabel s theta) = Z X theta *m P s.
Proof. by rewrite /Z mulmxDl -!mulmxA. Qed.

Lemma H_relabel n (X : 'M[R]_(n, d)) s theta :
  H sigma X (relabel s theta) = H sigma X theta *m P s.
Proof. by rewrite /H Z_relabel elementwise_commutes. Qed.

(* supports: thm-forward-invariance *)
(* The output alone, for use in later files. *)
Lemma O_relabel n (X : 'M[R]_(n, d)) s theta : O sigma X (relabel s theta) = O sigma X theta.
Proof. by rewrite /O H_relabel mulmxA -[_ *m P s *m _]mulmxA PPT mulmx1. Qed.

(* slug: thm-forward-invariance *)
(* Relabelling the hidden units permutes the columns of the hidden activations
   and leaves the output exactly unchanged. *)
Theorem forward_invariance n (X : 'M[R]_(n, d)) s theta :
  H sigma X (relabel s theta) = H sigma X theta *m P s /\
  O sigma X (relabel s theta) = O sigma X theta.
Proof. by split; [apply: H_relabel | apply: O_relabel]. Qed.

(* slug: def-permutation-symmetry *)
(* Every hidden layer has the symmetry that the definition asks for: each
   permutation s of the units comes with weights in which unit j stands whole at
   position s j and which compute the same function. *)
Theorem permutation_symmetry s theta :
  exists theta' : params R d h q,
    (forall j, hidden_unit theta' (s j) = hidden_unit theta j) /\
    (forall n (X : 'M[R]_(n, d)), O sigma X theta' = O sigma X theta).
Proof. by exists (relabel s theta); split=> *; [apply: relabel_moves_units | apply: O_relabel]. Qed.

End Relabelling.
