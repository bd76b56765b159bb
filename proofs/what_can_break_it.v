(** * What can break the symmetry, and what cannot

    Dropout separates two identical units, which no sequence of batches can do.
    Each hypothesis of forward invariance is needed as well. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation forward backward training.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** ** Dropout *)

Section Dropout.

Variables (R : comRingType) (d h q : nat).
Variables (sigma sigma' : R -> R) (err : output_error R q).
Implicit Types (theta : params R d h q) (s : 'S_h).

Section Batch.

Variables (n : nat) (X : 'M[R]_(n, d)) (Y : 'M[R]_(n, q)).
Implicit Types mask : 'M[R]_(n, h).

(** The activations are multiplied by a mask; the rest of the pass is the chapter's. *)
Definition dropout_H mask theta := mask ⊙ H sigma X theta.
Definition dropout_delta_O mask theta :=
  err (dropout_H mask theta *m W2 theta + ones n *m b2 theta) Y.
Definition dropout_delta_H mask theta :=
  (dropout_delta_O mask theta *m (W2 theta)^T) ⊙ (mask ⊙ map_mx sigma' (Z X theta)).

Definition dropout_grad mask theta : params R d h q :=
  (X^T *m dropout_delta_H mask theta, (ones n)^T *m dropout_delta_H mask theta,
   (dropout_H mask theta)^T *m dropout_delta_O mask theta,
   (ones n)^T *m dropout_delta_O mask theta).

Definition dropout_step (a : R) mask theta : params R d h q := theta - a *: dropout_grad mask theta.

(* supports: prop-dropout-breaks *)
(* With nothing dropped this is the plain gradient. *)
Lemma dropout_nothing theta : dropout_grad (const_mx 1) theta = grad sigma sigma' err X Y theta.
Proof.
have one (A : 'M[R]_(n, h)) : const_mx 1 ⊙ A = A.
  by apply/matrixP=> i j; rewrite !mxE mul1r.
by rewrite /dropout_grad /dropout_delta_H /dropout_delta_O /dropout_H !one.
Qed.

(* supports: prop-dropout-breaks *)
(* Dropout breaks the symmetry through its mask alone: permute the columns of the
   mask with the units, and the gradient relabels as before. *)
Theorem dropout_relabel mask s theta :
  dropout_grad (mask *m P s) (relabel s theta) = relabel s (dropout_grad mask theta).
Proof.
have H_P : dropout_H (mask *m P s) (relabel s theta) = dropout_H mask theta *m P s.
  by rewrite /dropout_H H_relabel hadamard_commutes.
have dO_P : dropout_delta_O (mask *m P s) (relabel s theta) = dropout_delta_O mask theta.
  by rewrite /dropout_delta_O H_P mulmxA -[_ *m P s *m _]mulmxA PPT mulmx1.
have dH_P : dropout_delta_H (mask *m P s) (relabel s theta) = dropout_delta_H mask theta *m P s.
  rewrite /dropout_delta_H dO_P Z_relabel elementwise_commutes [W2 _]/(_ *m _).
  by rewrite trmx_mul trmxK mulmxA !hadamard_commutes.
rewrite /dropout_grad H_P dO_P dH_P trmx_mul.
by congr (_, _, _, _); rewrite ?mulmxA // -mulmxA.
Qed.

End Batch.

End Dropout.

(** ** A concrete case

    One input, two hidden units, one output, sigma the identity.  All weights are 1
    and both biases 0; the only sample is x = 1 with target y = 0. *)

Section Example.

Variable R : comRingType.

Definition twins : params R 1 2 1 := (const_mx 1, 0, const_mx 1, 0).
Definition x : 'M[R]_1 := const_mx 1.
Definition y : 'M[R]_1 := 0.
Definition keep_unit_0 : 'M[R]_(1, 2) := \row_j (j == 0)%:R.

(* slug: prop-dropout-breaks *)
(* One dropout step that keeps unit 0 and drops unit 1 makes the twins differ; no
   sequence of batches and step sizes does, for as long as one trains. *)
Theorem dropout_breaks :
  [/\ hidden_unit twins 0 = hidden_unit twins 1,
      let theta := dropout_step id (fun=> 1) residual x y 1 keep_unit_0 twins in
        hidden_unit theta 0 <> hidden_unit theta 1
    & forall alpha batches t,
        let theta := sgd id (fun=> 1) residual alpha batches twins t in
        hidden_unit theta 0 = hidden_unit theta 1].
Proof.
have same : hidden_unit twins 0 = hidden_unit twins 1.
  by congr (_, _, _); [apply/colP=> i | | apply/rowP=> i]; rewrite !mxE.
split=> // [theta [_ _ /rowP same_rows] | alpha batches t]; last first.
  exact: identical_units_stay_identical.
have := same_rows 0; rewrite !(mxE, big_ord1, big_ord_recl, big_ord0) /=.
rewrite !(mul0r, mulr0, mul1r, mulr1, addr0, add0r, subr0, subrr).
by apply/eqP; rewrite eq_sym oner_eq0.
Qed.

End Example.

(** ** Each hypothesis is needed

    One input, one output, sigma the identity: every careless relabelling changes
    the output of some network, for every s but those named. *)

Section NegativeControls.

Variables (R : comRingType) (h : nat).
Implicit Types (s t : 'S_h) (theta : params R 1 h 1) (i : 'I_h).

(** P in place of its transpose on W2; b1 forgotten; W1 and W2 relabelled by
    different permutations. *)
Definition no_transpose s theta : params R 1 h 1 :=
  (W1 theta *m P s, b1 theta *m P s, P s *m W2 theta, b2 theta).
Definition no_bias s theta : params R 1 h 1 :=
  (W1 theta *m P s, b1 theta, (P s)^T *m W2 theta, b2 theta).
Definition two_permutations s t theta : params R 1 h 1 :=
  (W1 theta *m P s, b1 theta *m P s, (P t)^T *m W2 theta, b2 theta).

(** Each unit with its own sigma. *)
Definition O_by_unit (sigma : 'I_h -> R -> R) n (X : 'M[R]_(n, 1)) theta : 'M[R]_(n, 1) :=
  (\matrix_(k, j) sigma j (Z X theta k j)) *m W2 theta + ones n *m b2 theta.

(** Networks in which only unit i does anything. *)
Let weight_probe i : params R 1 h 1 := (delta_mx 0 i, 0, delta_mx i 0, 0).
Let bias_probe i : params R 1 h 1 := (0, delta_mx 0 i, delta_mx i 0, 0).

Let delta_P s (i : 'I_h) : delta_mx 0 i *m P s = delta_mx 0 (s i) :> 'rV[R]_h.
Proof.
by apply/rowP=> j; rewrite permute_columnsV !mxE -(inj_eq (@perm_inj _ s)) permKV.
Qed.

Let PT_delta s (i : 'I_h) : (P s)^T *m delta_mx i 0 = delta_mx (s i) 0 :> 'cV[R]_h.
Proof. by apply: trmx_inj; rewrite trmx_mul trmxK !trmx_delta delta_P. Qed.

Let O_id (w b : 'rV[R]_h) (u : 'cV[R]_h) :
  O id (const_mx 1 : 'M_1) (w, b, u, 0) = (w + b) *m u.
Proof.
have one m (A : 'M[R]_(1, m)) : const_mx 1 *m A = A.
  by rewrite [const_mx 1](_ : _ = 1%:M) ?mul1mx //; apply/matrixP=> i j; rewrite !ord1 !mxE.
by rewrite /O /H map_mx_id // /Z !one addr0.
Qed.

Let O_by_unit_probe sigma a i :
  O_by_unit sigma (const_mx a : 'M_1) (weight_probe i) 0 0 = sigma i a.
Proof.
have -> : O_by_unit sigma (const_mx a : 'M_1) (weight_probe i) =
    (\matrix_(k, j) sigma j (Z (const_mx a) (weight_probe i) k j)) *m delta_mx i 0.
  by rewrite /O_by_unit [b2 _]/(0 : 'M_1) mulmx0 addr0.
by rewrite -colE 2!mxE; congr sigma; rewrite !mxE !big_ord1 !mxE !eqxx mulr1 mulr0 addr0.
Qed.

Let read (i j k l : 'I_h) :
  delta_mx 0 i *m delta_mx j 0 = delta_mx 0 k *m delta_mx l 0 :> 'M[R]_1 -> (i == j) = (k == l).
Proof.
rewrite !mul_delta_mx_cond => /matrixP/(_ 0 0); rewrite !mulmxnE !mxE eqxx /=.
by case: (i == j); case: (k == l) => // /eqP; rewrite ?oner_eq0 // eq_sym oner_eq0.
Qed.

(* supports: rem-transpose *)
(* P may stand for its transpose on W2 only when s is its own inverse. *)
Theorem no_transpose_fails s :
  (forall theta n (X : 'M[R]_(n, 1)), O id X (no_transpose s theta) = O id X theta)
  <-> (s * s = 1)%g.
Proof.
split=> [same | ss1 theta n X]; last first.
  have [_ _ [_ /(_ ss1) PPTs]] := why_the_transpose R s.
  by rewrite -(O_relabel id X s theta) /relabel -PPTs.
apply/permP=> i; rewrite permM perm1; apply/eqP.
have := same (weight_probe i) 1%N (const_mx 1).
have P_delta : P s *m delta_mx i 0 = delta_mx (s^-1%g i) 0 :> 'cV[R]_h.
  by rewrite -PT_delta PV trmxK.
rewrite /no_transpose !O_id mul0mx !addr0 delta_P P_delta => /read.
by rewrite eqxx => /eqP->; rewrite permKV.
Qed.

(* supports: thm-forward-invariance *)
(* The bias has to be relabelled too. *)
Theorem no_bias_fails s :
  (forall theta n (X : 'M[R]_(n, 1)), O id X (no_bias s theta) = O id X theta) <-> s = 1%g.
Proof.
split=> [same | -> theta n X]; last first.
  by rewrite -(O_relabel id X 1 theta) /relabel /no_bias P1 !mulmx1.
apply/permP=> i; rewrite perm1; apply/eqP; have := same (bias_probe i) 1%N (const_mx 1).
rewrite /no_bias !O_id mul0mx !add0r PT_delta => /read.
by rewrite eqxx eq_sym => ->.
Qed.

(* supports: thm-forward-invariance *)
(* The two layers have to be relabelled by the same permutation. *)
Theorem two_permutations_fail s t :
  (forall theta n (X : 'M[R]_(n, 1)), O id X (two_permutations s t theta) = O id X theta)
  <-> s = t.
Proof.
split=> [same | -> theta n X]; last exact: O_relabel.
apply/permP=> i; apply/eqP; have := same (weight_probe i) 1%N (const_mx 1).
rewrite /two_permutations !O_id mul0mx !addr0 delta_P PT_delta => /read.
by rewrite eqxx => ->.
Qed.

(* supports: lem-elementwise-commutes *)
(* A sigma that depends on the unit keeps the symmetry only for permutations of
   units with the same sigma. *)
Theorem sigma_by_unit_fails (sigma : 'I_h -> R -> R) s :
  (forall theta n (X : 'M[R]_(n, 1)), O_by_unit sigma X (relabel s theta) = O_by_unit sigma X theta)
  <-> forall j, sigma (s j) =1 sigma j.
Proof.
split=> [same j a | same theta n X].
  have /matrixP/(_ 0 0) := same (weight_probe j) 1%N (const_mx a).
  have -> : relabel s (weight_probe j) = weight_probe (s j).
    by congr (_, _, _, _); rewrite -?delta_P -?PT_delta ?mul0mx.
  by rewrite !O_by_unit_probe.
rewrite /O_by_unit Z_relabel.
rewrite [X in X *m W2 _](_ : _ = (\matrix_(k, j) sigma j (Z X theta k j)) *m P s).
  by rewrite [W2 _]/(_ *m _) mulmxA -[_ *m P s *m _]mulmxA PPT mulmx1.
apply/matrixP=> k j; rewrite mxE !permute_columnsV mxE.
by have:= same (s^-1%g j); rewrite permKV => ->.
Qed.

End NegativeControls.
