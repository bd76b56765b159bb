(** * Counting the relabellings of a deep network

    There are h_1! h_2! ... relabellings; they are all distinct when the units of
    each hidden layer differ in their incoming weights. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation counting depth.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

Section DeepCounting.

Variables (R : comRingType) (q : nat).

(** Relabelling is an action of the group of permutations. *)

Lemma relabel_from1 d hs (theta : net R d hs q) : relabel_from 1 1%g theta = theta.
Proof.
elim: hs d theta => [|h hs IH] d /= => [[W b] | [[W b] theta]] /=.
  by rewrite P1 trmx1 mul1mx.
by rewrite IH !P1 trmx1 mul1mx !mulmx1.
Qed.

Lemma relabel_fromM d hs s s' (p p' : perms hs) (theta : net R d hs q) :
  relabel_from (s * s') (p * p')%g theta = relabel_from s' p' (relabel_from s p theta).
Proof.
elim: hs d s s' p p' theta => [|h hs IH] d s s' p p' theta /=.
  by rewrite PM trmx_mul mulmxA.
by rewrite IH !PM trmx_mul !mulmxA.
Qed.

Definition deep_orbit d hs (theta : net R d hs q) : seq (net R d hs q) :=
  undup [seq deep_relabel p theta | p : perms hs].
Definition deep_stabilizer d hs (theta : net R d hs q) : {set perms hs} :=
  [set p | deep_relabel p theta == theta].

(** In each hidden layer no two units have the same incoming weights and bias. *)
Fixpoint distinct_incoming d hs : net R d hs q -> Prop :=
  if hs is h :: hs' then fun theta =>
    injective (fun j => (col j theta.1.1, theta.1.2 0 j)) /\ distinct_incoming theta.2
  else fun _ => True.

Lemma card_perms hs : #|perms hs| = (\prod_(h <- hs) h`!)%N.
Proof.
elim: hs => [|h hs IH] /=; first by rewrite big_nil card_Sn.
by rewrite big_cons -IH card_prod card_Sn.
Qed.

Lemma distinct_incoming_fix d hs p (theta : net R d hs q) :
  distinct_incoming theta -> deep_relabel p theta = theta -> p = 1%g.
Proof.
rewrite /deep_relabel; elim: hs d p theta => [|h hs IH] d /= p theta.
  by move=> _ _; apply/permP=> - [].
case: p theta => s p [[W b] theta] /= [inj_units distinct] [fix_W fix_b fix_rest].
suffices s1 : s = 1%g by rewrite s1 in fix_rest *; rewrite (IH _ _ _ distinct fix_rest).
apply/permP=> j; rewrite perm1; apply: inj_units; congr (_, _).
  by apply/colP=> i; rewrite !mxE -[in LHS]fix_W P1 trmx1 mul1mx permute_columns.
by rewrite -[in LHS]fix_b permute_columns.
Qed.

(* supports: prop-orbit-size *)
(* Orbit and stabilizer for any depth, and h_1! h_2! ... distinct relabellings when
   the units of each layer differ in their incoming weights. *)
Theorem deep_orbit_size d hs (theta : net R d hs q) :
  (size (deep_orbit theta) * #|deep_stabilizer theta| = \prod_(h <- hs) h`!)%N /\
  (distinct_incoming theta -> size (deep_orbit theta) = (\prod_(h <- hs) h`!)%N).
Proof.
have orbit_stabilizer : (size (deep_orbit theta) * #|deep_stabilizer theta| = #|perms hs|)%N.
  apply: (card_orbit (act := @deep_relabel R q d hs)) => [theta' | p p' theta'].
    exact: relabel_from1.
  by rewrite /deep_relabel -{1}(mulg1 1%g) relabel_fromM.
rewrite -card_perms orbit_stabilizer; split=> // distinct.
rewrite -orbit_stabilizer [deep_stabilizer _](_ : _ = 1%g) ?cards1 ?muln1 //.
apply/setP=> p; rewrite !inE; apply/eqP/eqP => [|->]; last exact: relabel_from1.
exact: distinct_incoming_fix.
Qed.

(* supports: prop-orbit-size *)
(* It is not enough that the units differ: here two layers of two units each are
   joined by the identity matrix, no two units of a layer are identical, and yet
   swapping the units of both layers at once changes nothing. *)
Theorem distinct_units_are_not_enough :
  exists (theta : net R 1 [:: 2; 2]%N 1) (p : perms [:: 2; 2]%N),
    let W2 := theta.2.1.1 in
    [/\ injective (fun j => row j W2), injective (fun j => col j W2),
        deep_relabel p theta = theta & p <> 1%g].
Proof.
pose s : 'S_2 := tperm 0 1.
exists ((const_mx 1, 0, ((1%:M, 0), (const_mx 1, 0))) : net R 1 [:: 2; 2]%N 1).
exists ((s, (s, 1%g)) : perms [:: 2; 2]%N) => W2.
have delta_inj (i j : 'I_2) : (i == i)%:R = (i == j)%:R :> R -> i = j.
  by case: (i =P j) => // _ /eqP; rewrite eqxx oner_eq0.
split=> [i j /rowP/(_ i) | i j /colP/(_ i) | | [/permP/(_ 0)]].
- by rewrite !mxE [j == i]eq_sym => /delta_inj.
- by rewrite !mxE => /delta_inj.
- rewrite /deep_relabel /= P1 trmx1 mul1mx !mul0mx mulmx1 PTP.
  congr (_, _, (_, _, (_, _))); apply/matrixP=> i j.
    by rewrite permute_columnsV !mxE.
  by rewrite permute_rowsV !mxE.
- by rewrite tpermL perm1.
Qed.

End DeepCounting.
