(** * Permutation matrices

    R is any commutative ring: the reals, the rationals, the integers, the
    integers mod a prime.  A permutation s of the h units is written as the
    matrix P s, and right multiplication by P s moves column j to position s j.
    (The book's index array perm, in which new position j holds old unit perm[j], is
    the inverse of s.) *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** ** Definitions *)

Definition P (R : comRingType) h (s : 'S_h) : 'M[R]_h := perm_mx s.

(** The definition in words: one entry 1 in each row and in each column, and 0
    everywhere else. *)
Definition permutation_matrix (R : comRingType) h (A : 'M[R]_h) : Prop :=
  [/\ forall i j, A i j = 0 \/ A i j = 1,
      forall i, exists! j, A i j = 1
    & forall j, exists! i, A i j = 1].

(** The element-wise (Hadamard) product. *)
Definition hadamard (R : comRingType) m n (A B : 'M[R]_(m, n)) : 'M[R]_(m, n) :=
  \matrix_(i, j) (A i j * B i j).

Notation "A ⊙ B" := (hadamard A B) (at level 40, left associativity) : ring_scope.

Section PermutationMatrices.

Variables (R : comRingType) (h : nat).
Implicit Types (s t : 'S_h) (A : 'M[R]_h).
Local Notation P := (@P R h).

(** ** Index formulas *)

Lemma P_entry s i j : P s i j = (s i == j)%:R.
Proof. by rewrite /P !mxE. Qed.

(* supports: def-permutation-matrix *)
(* Column j of A is column s j of A P: P carries old unit j to new position s j. *)
Lemma permute_columns m (A : 'M[R]_(m, h)) s i j : (A *m P s) i (s j) = A i j.
Proof.
rewrite mxE (bigD1 j) //= P_entry eqxx mulr1 big1 ?addr0 // => k k_j.
by rewrite P_entry (inj_eq perm_inj) (negPf k_j) mulr0.
Qed.

(* supports: rem-transpose *)
(* Row i of A is row s i of P^T A: P^T on the left does to rows what P on the
   right does to columns. *)
Lemma permute_rows n (A : 'M[R]_(h, n)) s i j : ((P s)^T *m A) (s i) j = A i j.
Proof. by rewrite -{1}[A]trmxK -trmx_mul [LHS]mxE permute_columns mxE. Qed.

Lemma permute_columnsV m (A : 'M[R]_(m, h)) s i j : (A *m P s) i j = A i (s^-1%g j).
Proof. by have:= permute_columns A s i (s^-1%g j); rewrite permKV. Qed.

Lemma permute_rowsV n (A : 'M[R]_(h, n)) s i j : ((P s)^T *m A) i j = A (s^-1%g i) j.
Proof. by have:= permute_rows A s (s^-1%g i) j; rewrite permKV. Qed.

(** ** Orthogonality and composition *)

(* supports: def-permutation-matrix *)
(* Permutation matrices are orthogonal: P^T P = 1. *)
Lemma PTP s : (P s)^T *m P s = 1%:M.
Proof. by rewrite /P tr_perm_mx -perm_mxM mulVg perm_mx1. Qed.

(* supports: def-permutation-matrix *)
(* Permutation matrices are orthogonal: P P^T = 1. *)
Lemma PPT s : P s *m (P s)^T = 1%:M.
Proof. by rewrite /P tr_perm_mx -perm_mxM mulgV perm_mx1. Qed.

Lemma P1 : P 1 = 1%:M.
Proof. exact: perm_mx1. Qed.

Lemma PM s t : P (s * t)%g = P s *m P t.
Proof. exact: perm_mxM. Qed.

Lemma PV s : P (s^-1)%g = (P s)^T.
Proof. by rewrite /P tr_perm_mx. Qed.

Lemma P_inj : injective P.
Proof.
move=> s t eq_st; apply/permP=> i; apply/eqP.
have /matrixP/(_ i (t i)) := eq_st; rewrite !P_entry eqxx.
by case: eqP => // _ /eqP; rewrite eq_sym oner_eq0.
Qed.

(** ** The two statements of the chapter *)

(* slug: def-permutation-matrix *)
(* A matrix has one 1 in each row and each column and 0 elsewhere exactly when it
   is P s for some permutation s. *)
Theorem permutation_matrixP A : permutation_matrix A <-> exists s, A = P s.
Proof.
split=> [[A01 row1 col1] | [s ->]].
  have rowX i : exists j, A i j == 1 by have [j [/eqP]] := row1 i; exists j.
  pose f i := xchoose (rowX i).
  have Af i : A i (f i) = 1 by apply/eqP/(xchooseP (rowX i)).
  have f_inj : injective f.
    move=> i k fik; have [r [_ r_uniq]] := col1 (f i).
    by rewrite -(r_uniq i (Af i)) -(r_uniq k) // fik Af.
  exists (perm f_inj); apply/matrixP=> i j; rewrite P_entry permE.
  have [<-|f_j] := eqVneq (f i) j; first exact: Af.
  case: (A01 i j) => // Aij; have [r [_ r_uniq]] := row1 i.
  by case/eqP: f_j; rewrite -(r_uniq _ (Af i)) -(r_uniq _ Aij).
have one_iff i j : P s i j = 1 <-> s i = j.
  rewrite P_entry; split=> [|->]; last by rewrite eqxx.
  by case: eqP => // _ /eqP; rewrite eq_sym oner_eq0.
split=> [i j | i | j].
- by rewrite P_entry; case: eqP; [right | left].
- by exists (s i); split=> [|j /one_iff//]; apply/one_iff.
- exists (s^-1 j)%g; split=> [|i /one_iff <-]; last exact: permK.
  by apply/one_iff; rewrite permKV.
Qed.

(* slug: rem-transpose *)
(* P^T on the left relabels rows as P on the right relabels columns, and P may
   stand for P^T exactly when s is its own inverse: a 3-cycle tells them apart. *)
Theorem why_the_transpose s :
  [/\ forall n (A : 'M[R]_(h, n)), ((P s)^T *m A)^T = A^T *m P s,
      forall n (A : 'M[R]_(h, n)) i j, ((P s)^T *m A) (s i) j = A i j
    & P s = (P s)^T <-> (s * s = 1)%g].
Proof.
split=> [n A | n A i j |]; first by rewrite trmx_mul trmxK.
  exact: permute_rows.
rewrite -PV; split=> [/P_inj {2}-> | ss1]; first exact: mulgV.
by congr P; apply/esym/eqP; rewrite eq_invg_mul ss1.
Qed.

(** ** Element-wise operations commute with P *)

(* slug: lem-elementwise-commutes *)
(* An element-wise function commutes with a permutation of the columns. *)
Lemma elementwise_commutes (sigma : R -> R) m (Z : 'M[R]_(m, h)) s :
  map_mx sigma (Z *m P s) = map_mx sigma Z *m P s.
Proof. by apply/matrixP=> i j; rewrite mxE !permute_columnsV mxE. Qed.

(* supports: thm-backward-invariance *)
(* The element-wise product commutes with a permutation of the columns. *)
Lemma hadamard_commutes m (A B : 'M[R]_(m, h)) s :
  (A *m P s) ⊙ (B *m P s) = (A ⊙ B) *m P s.
Proof. by apply/matrixP=> i j; rewrite mxE !permute_columnsV mxE. Qed.

End PermutationMatrices.

Arguments P {R h} s.
