(** * Planes of equal loss

    Two units with the same incoming weights carry the same activation, so what one
    gains in outgoing weights the other may lose. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation forward.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section EqualLoss.

Variables (R : comRingType) (d h q : nat).
Implicit Types (theta : params R d h q) (i j : 'I_h) (u v : 'rV[R]_q).

(** The column of W1 and the bias that feed unit j. *)
Definition incoming theta j : 'cV[R]_d * R := (col j (W1 theta), b1 theta 0 j).

(** The direction in parameter space that adds v to row i of W2 and takes it from
    row j. *)
Definition direction i j v : params R d h q :=
  (0, 0, delta_mx i 0 *m v - delta_mx j 0 *m v, 0).

Variable sigma : R -> R.

Lemma same_incoming_same_activation n (X : 'M[R]_(n, d)) theta i j :
  incoming theta i = incoming theta j -> col i (H sigma X theta) = col j (H sigma X theta).
Proof.
case=> /colP same_W1 same_b1; apply/colP=> k; rewrite !mxE; congr (sigma (_ + _)).
  by apply: eq_bigr => l _; have:= same_W1 l; rewrite !mxE => ->.
by rewrite !big_ord1 same_b1.
Qed.

Lemma move_rows theta i j v :
  theta + direction i j v =
  (W1 theta, b1 theta, W2 theta + (delta_mx i 0 *m v - delta_mx j 0 *m v), b2 theta).
Proof. by congr (_, _, _, _); apply: addr0. Qed.

(* slug: prop-equal-loss-plane *)
(* Let units i and j have the same incoming weights.  Moving their outgoing rows by
   v and -v changes no output, hence no loss, for any v in R^q; v enters linearly,
   and distinct v give distinct weights, so this is a plane of dimension q (the
   width of the next layer). *)
Theorem equal_loss_plane theta i j :
  incoming theta i = incoming theta j ->
  [/\ forall v n (X : 'M[R]_(n, d)), O sigma X (theta + direction i j v) = O sigma X theta,
      forall (a : R) u v, direction i j (a *: u + v) = a *: direction i j u + direction i j v
    & i != j -> injective (direction i j)].
Proof.
move=> same; split=> [v n X | a u v | i_j u v].
- rewrite move_rows /O -[H _ X _]/(H sigma X theta) [W2 _]/= [b2 _]/=.
  rewrite mulmxDr mulmxBr !mulmxA -!colE.
  by rewrite (same_incoming_same_activation X same) subrr addr0.
- rewrite /direction !mulmxDr -!scalemxAr opprD addrACA -scalerBr.
  by congr (_, _, _, _); rewrite /= ?scaler0 ?addr0.
- case=> /matrixP same_rows; apply/rowP=> k; have:= same_rows i k.
  by rewrite !mxE !big_ord1 !mxE !eqxx (negPf i_j) /= !mul1r !mul0r !subr0.
Qed.

(* supports: prop-equal-loss-plane *)
(* The plane through theta contains theta with units i and j swapped. *)
Theorem plane_contains_swap theta i j :
  incoming theta i = incoming theta j ->
  relabel (tperm i j) theta = theta + direction i j (row j (W2 theta) - row i (W2 theta)).
Proof.
have [-> _ | i_j] := eqVneq i j.
  by rewrite tperm1 relabel1 move_rows [X in _ + X]subrr addr0; case: (theta) => [[[]]].
case=> /colP same_W1 same_b1; rewrite move_rows; congr (_, _, _, _); apply/matrixP=> k l.
- rewrite permute_columnsV tpermV; case: tpermP => // ->.
    by have:= same_W1 k; rewrite !mxE.
  by have:= same_W1 k; rewrite !mxE.
- by rewrite permute_columnsV tpermV ord1; case: tpermP => // ->.
- rewrite permute_rowsV tpermV !mxE !big_ord1 !mxE !andbT.
  case: tpermP => [->|->|/eqP/negPf-> /eqP/negPf->].
  + by rewrite eqxx (negPf i_j) mul1r mul0r subr0 addrC subrK.
  + by rewrite eqxx eq_sym (negPf i_j) mul1r mul0r sub0r opprB addrC subrK.
  + by rewrite !mul0r subrr addr0.
Qed.

End EqualLoss.
