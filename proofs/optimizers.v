(** * Optimizers that cannot break the symmetry

    Momentum, and every rule that treats each weight by itself with k extra numbers
    per weight: Adam, RMSProp, Adagrad, weight decay. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation forward backward training.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** ** Rules *)

(** The four places a weight can live in.  A rule may treat them differently (no
    weight decay on biases, say), because a relabelling moves no weight from one
    to another. *)
Inductive place := In_W1 | In_b1 | In_W2 | In_b2.

(** A rule with k extra numbers per weight: from a weight w, its derivative g and
    its extra numbers e, the new weight and the new extra numbers. *)
Record rule (R : comRingType) (k : nat) := Rule {
  new_weight : R -> R -> 'rV[R]_k -> R;
  new_extra : R -> R -> 'rV[R]_k -> 'rV[R]_k
}.

Section Optimizers.

Variables (R : comRingType) (d h q k : nat).
Variables (sigma sigma' : R -> R) (err : output_error R q).
Implicit Types (theta : params R d h q) (s : 'S_h) (batches : nat -> batch R d q).

(** The extra numbers: k copies of the shape of theta. *)
Definition extras : Type := {ffun 'I_k -> params R d h q}.
Definition relabel_extras s (e : extras) : extras := [ffun l => relabel s (e l)].

(** The new weights f w g e, one matrix at a time and in all four places. *)
Definition entrywise m n (f : R -> R -> 'rV[R]_k -> R) (W G : 'M[R]_(m, n))
    (E : 'I_k -> 'M[R]_(m, n)) : 'M[R]_(m, n) :=
  \matrix_(i, j) f (W i j) (G i j) (\row_l E l i j).

Definition everywhere (f : place -> R -> R -> 'rV[R]_k -> R) theta g (e : extras) :
    params R d h q :=
  (entrywise (f In_W1) (W1 theta) (W1 g) (fun l => W1 (e l)),
   entrywise (f In_b1) (b1 theta) (b1 g) (fun l => b1 (e l)),
   entrywise (f In_W2) (W2 theta) (W2 g) (fun l => W2 (e l)),
   entrywise (f In_b2) (b2 theta) (b2 g) (fun l => b2 (e l))).

(** Training with the rule rho t at step t, from weights and extra numbers. *)
Definition apply_rule (rho : place -> rule R k) (B : batch R d q)
    (state : params R d h q * extras) : params R d h q * extras :=
  let: (theta, e) := state in
  let g := grad sigma sigma' err (inputs B) (targets B) theta in
  (everywhere (fun p => new_weight (rho p)) theta g e,
   [ffun l => everywhere (fun p w g e => new_extra (rho p) w g e 0 l) theta g e]).

Fixpoint train (rho : nat -> place -> rule R k) batches state0 (t : nat) :=
  if t is t'.+1 then apply_rule (rho t') (batches t') (train rho batches state0 t') else state0.

(** ** Theorems *)

Lemma everywhere_relabel f s theta g e :
  everywhere f (relabel s theta) (relabel s g) (relabel_extras s e) =
  relabel s (everywhere f theta g e).
Proof.
have columns m f' (W G : 'M_(m, h)) E E' : (forall l, E' l = E l *m P s) ->
    entrywise f' (W *m P s) (G *m P s) E' = entrywise f' W G E *m P s.
  move=> EE'; apply/matrixP=> i j; rewrite mxE !permute_columnsV mxE; congr (f' _ _ _).
  by apply/rowP=> l; rewrite !mxE EE' permute_columnsV.
have rows n f' (W G : 'M_(h, n)) E E' : (forall l, E' l = (P s)^T *m E l) ->
    entrywise f' ((P s)^T *m W) ((P s)^T *m G) E' = (P s)^T *m entrywise f' W G E.
  move=> EE'; apply/matrixP=> i j; rewrite mxE !permute_rowsV mxE; congr (f' _ _ _).
  by apply/rowP=> l; rewrite !mxE EE' permute_rowsV.
congr (_, _, _, _); [apply: columns | apply: columns | apply: rows |].
- by move=> l; rewrite ffunE.
- by move=> l; rewrite ffunE.
- by move=> l; rewrite ffunE.
apply/matrixP=> i j; rewrite !mxE; congr (f _ _ _ _).
by apply/rowP=> l; rewrite !mxE ffunE.
Qed.

Lemma apply_rule_relabel rho B s theta e :
  apply_rule rho B (relabel s theta, relabel_extras s e) =
  let: (theta', e') := apply_rule rho B (theta, e) in (relabel s theta', relabel_extras s e').
Proof.
rewrite /= backward_invariance everywhere_relabel; congr (_, _); apply/ffunP=> l.
by rewrite !ffunE everywhere_relabel.
Qed.

(* slug: prop-equivariant-optimizers *)
(* Under any rule that acts on each weight by itself, with k extra numbers per
   weight, trainings that start related by s stay related by s, extra numbers
   included, and compute the same outputs. *)
Theorem equivariant_optimizers rho batches s theta0 e0 t :
  let: (theta, e) := train rho batches (theta0, e0) t in
  let: (theta', e') := train rho batches (relabel s theta0, relabel_extras s e0) t in
  [/\ theta' = relabel s theta, e' = relabel_extras s e
    & forall n (X : 'M[R]_(n, d)), O sigma X theta' = O sigma X theta].
Proof.
suffices -> : train rho batches (relabel s theta0, relabel_extras s e0) t =
    let: (theta, e) := train rho batches (theta0, e0) t in (relabel s theta, relabel_extras s e).
  by case: train => theta e; split=> // n X; apply: O_relabel.
elim: t => //= t ->; case: train => theta e; exact: apply_rule_relabel.
Qed.

(* supports: prop-equivariant-optimizers *)
(* Units that start identical, with extra numbers that start at 0, stay identical. *)
Theorem identical_units_under_rules rho batches theta0 i j :
  hidden_unit theta0 i = hidden_unit theta0 j ->
  forall t, let theta := (train rho batches (theta0, [ffun=> 0]) t).1 in
    hidden_unit theta i = hidden_unit theta j.
Proof.
move=> /swap_fixP same t; apply/swap_fixP.
have := equivariant_optimizers rho batches (tperm i j) theta0 [ffun=> 0] t.
rewrite same [relabel_extras _ _](_ : _ = [ffun=> 0]).
  by case: train => theta e [].
apply/ffunP=> l; rewrite !ffunE /relabel.
by congr (_, _, _, _); rewrite ?mulmx0 ?mul0mx.
Qed.

(** ** Momentum *)

(** The velocity v becomes mu v + grad, and theta becomes theta - alpha v. *)
Fixpoint momentum (mu alpha : R) batches (state0 : params R d h q * params R d h q) (t : nat) :=
  if t is t'.+1 then
    let: (theta, v) := momentum mu alpha batches state0 t' in
    let B := batches t' in
    let v' := mu *: v + grad sigma sigma' err (inputs B) (targets B) theta in
    (theta - alpha *: v', v')
  else state0.

(* supports: prop-equivariant-optimizers *)
(* Momentum, written with whole matrices: weights and velocities stay related. *)
Theorem momentum_relabel mu alpha batches s theta0 v0 t :
  let: (theta, v) := momentum mu alpha batches (theta0, v0) t in
  momentum mu alpha batches (relabel s theta0, relabel s v0) t = (relabel s theta, relabel s v).
Proof.
elim: t => //= t; case: (momentum _ _ _ (theta0, v0) t) => theta v -> /=.
by rewrite backward_invariance relabelB relabelZ relabelD relabelZ.
Qed.

End Optimizers.

(** ** Adam *)

(** Adam is such a rule with k = 2: its extra numbers are the means m of g and v of
    g^2.  The quotient and the square root may be any functions; [correct1] and
    [correct2] are the bias corrections at the step in question. *)
Definition adam (R : comRingType) (quotient : R -> R -> R) (root : R -> R)
    (alpha beta1 beta2 eps correct1 correct2 : R) : rule R 2 :=
  let m g (e : 'rV[R]_2) := beta1 * e 0 0 + (1 - beta1) * g in
  let v g (e : 'rV[R]_2) := beta2 * e 0 1 + (1 - beta2) * g ^+ 2 in
  Rule (fun w g e =>
          w - alpha * quotient (quotient (m g e) correct1) (root (quotient (v g e) correct2) + eps))
       (fun w g e => \row_l (if l == 0 then m g e else v g e)).
