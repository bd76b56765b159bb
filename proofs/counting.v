(** * Counting the relabellings

    The relabellings of theta number h! divided by the factorials of the
    multiplicities of its units. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation forward.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** ** Permutations that preserve a function *)

Section Preserving.

Variables (T : finType) (E : eqType) (f : T -> E).
Implicit Types (s t : {perm T}) (v : E) (vs : seq E).

Definition fiber v : {set T} := [set x | f x == v].
Definition preserving : {set {perm T}} := [set s : {perm T} | [forall x, f (s x) == f x]].

Lemma card_fibers : #|T| = (\sum_(v <- undup (codom f)) #|fiber v|)%N.
Proof.
under eq_bigr do rewrite -sum1_card.
rewrite (exchange_big_dep xpredT) //= -sum1_card; apply: eq_bigr => x _.
rewrite (eq_bigl (pred1 (f x))) => [|v]; last by rewrite inE eq_sym.
by rewrite sum1_count count_uniq_mem ?undup_uniq // mem_undup codom_f.
Qed.

(** Those that move only points with values in vs. *)
Let preserving_on vs : {set {perm T}} :=
  [set s in preserving | perm_on [set x | f x \in vs] s].

Lemma preserving_onP vs s :
  reflect ((forall x, f (s x) = f x) /\ (forall x, f x \notin vs -> s x = x))
          (s \in preserving_on vs).
Proof.
rewrite !inE; apply: (iffP andP) => [[/forallP fs on_s] | [fs out_s]]; split.
- by move=> x; apply/eqP.
- by move=> x x_vs; apply: (out_perm on_s); rewrite inE.
- by apply/forallP=> x; rewrite fs.
- by apply/subsetP=> x; apply: contraNT; rewrite inE => /out_s ->.
Qed.

(** A permutation of the fibers over v :: vs is one of the fiber over v followed by
    one of the fibers over vs, in exactly one way. *)
Lemma preserving_on_cons v vs : v \notin vs ->
  #|preserving_on (v :: vs)| = ((#|fiber v|)`! * #|preserving_on vs|)%N.
Proof.
pose A := fiber v; pose B := preserving_on vs.
have in_A x : (x \in A) = (f x == v) by rewrite inE.
move=> v_vs; pose mul (p : {perm T} * {perm T}) := (p.1 * p.2)%g.
have <- : #|setX [set s | perm_on A s] B| = (#|A|`! * #|B|)%N by rewrite cardsX cardsE card_perm.
have fix_A t x : t \in B -> x \in A -> t x = x.
  by case/preserving_onP=> _ out; rewrite in_A => /eqP xv; apply: out; rewrite xv.
rewrite -(card_in_imset (f := mul)) => [|[s t] [s' t']]; last first.
  case/setXP; rewrite inE /= => s_A t_B /setXP[]; rewrite inE /= => s'_A t'_B eq_st.
  suffices eq_s : s = s' by move: eq_st; rewrite /mul /= eq_s => /mulgI ->.
  apply/permP=> x; have [x_A | x_A] := boolP (x \in A); last by rewrite !(out_perm _ x_A).
  have /permP/(_ x) := eq_st; rewrite /mul !permM /=.
  by rewrite (fix_A t) ?(fix_A t') ?perm_closed //.
apply: eq_card => g; apply/preserving_onP/imsetP => [[fg out_g] | [[s t] ]].
  pose s := restr_perm A g; have s_A : perm_on A s by apply: restr_perm_on.
  have sE x : x \in A -> s x = g x.
    by apply: restr_permE; apply/astabsP=> y; rewrite /= /aperm !in_A fg.
  have VA x : x \in A -> (s^-1 * g)%g x = x.
    by move=> x_A; rewrite permM -sE ?permKV // (perm_closed _ (perm_onV s_A)).
  have VnA x : x \notin A -> (s^-1 * g)%g x = g x.
    by move=> x_A; rewrite permM (out_perm (perm_onV s_A)).
  exists (s, s^-1 * g)%g; last by rewrite /mul /= mulKVg.
  rewrite in_setX inE s_A; apply/preserving_onP; split=> x.
    by have [/VA-> | /VnA->] := boolP (x \in A).
  have [/VA-> // | x_A] := boolP (x \in A); rewrite VnA // => x_vs.
  by apply: out_g; rewrite inE negb_or x_vs -in_A x_A.
rewrite in_setX inE => /andP[/= s_A t_B] ->; have [ft out_t] := preserving_onP _ _ t_B.
split=> x; rewrite permM /=.
  rewrite ft; have [x_A | x_A] := boolP (x \in A); last by rewrite (out_perm s_A).
  have sx_A : s x \in A by rewrite perm_closed.
  by move: x_A sx_A; rewrite !in_A => /eqP-> /eqP->.
rewrite inE negb_or -in_A => /andP[x_A x_vs].
by rewrite (out_perm s_A x_A) out_t.
Qed.

Lemma card_preserving_on vs : uniq vs -> #|preserving_on vs| = (\prod_(v <- vs) (#|fiber v|)`!)%N.
Proof.
elim: vs => [_ | v vs IH /= /andP[v_vs /IH vs_card]].
  rewrite big_nil -(cards1 (1%g : {perm T})); apply: eq_card => s; rewrite [in RHS]inE.
  apply/preserving_onP/eqP => [[_ id_s] | ->]; first by apply/permP=> x; rewrite perm1 id_s.
  by split=> x; rewrite perm1.
by rewrite big_cons preserving_on_cons // vs_card.
Qed.

(* supports: prop-orbit-size *)
(* A permutation that preserves f permutes each fiber of f, and is free to do so. *)
Theorem card_preserving : #|preserving| = (\prod_(v <- undup (codom f)) (#|fiber v|)`!)%N.
Proof.
rewrite -card_preserving_on ?undup_uniq //; apply: eq_card => s; rewrite !inE.
rewrite andb_idr // => _; apply/subsetP=> x _.
by rewrite inE mem_undup codom_f.
Qed.

End Preserving.

(** ** Orbit and stabilizer, for any finite group that acts *)

Lemma card_orbit (G : finGroupType) (E : eqType) (act : G -> E -> E) (x : E) :
  act 1%g =1 id -> (forall g g', act (g * g')%g =1 act g' \o act g) ->
  (size (undup [seq act g x | g : G]) * #|[set g : G | act g x == x]| = #|G|)%N.
Proof.
move=> act1 actM; set stab := [set g | _].
have actK g : cancel (act g) (act g^-1%g) by move=> y; rewrite -[RHS]act1 -(mulgV g) actM.
have actVK g : cancel (act g^-1%g) (act g) by move=> y; rewrite -[RHS]act1 -(mulVg g) actM.
rewrite (card_fibers (fun g => act g x)) big_seq (eq_bigr (fun=> #|stab|)) => [|y].
  by rewrite -big_seq big_const_seq count_predT iter_addn_0 mulnC.
rewrite mem_undup => /codomP[g ->]; rewrite -(card_rcoset stab g).
apply: eq_card => g'; rewrite mem_rcoset !inE actM /=.
by rewrite (can2_eq (actVK g) (actK g)).
Qed.

(** ** Relabellings of a parameterization *)

Section Counting.

Variables (R : comRingType) (d h q : nat).
Implicit Types (theta : params R d h q) (s t : 'S_h).

(** The distinct parameterizations among all relabellings of theta: its orbit. *)
Definition orbit theta : seq (params R d h q) := undup [seq relabel s theta | s : 'S_h].

(** The relabellings that change nothing. *)
Definition stabilizer theta : {set 'S_h} := [set s | relabel s theta == theta].

(** The distinct units, and how many positions hold the unit u. *)
Definition distinct_units theta := undup [seq hidden_unit theta j | j : 'I_h].
Definition multiplicity theta u : nat := #|[set j | hidden_unit theta j == u]|.

(* supports: prop-orbit-size *)
(* Orbit and stabilizer: the number of distinct relabellings times the number of
   relabellings that change nothing is h!. *)
Theorem orbit_stabilizer theta : (size (orbit theta) * #|stabilizer theta| = h`!)%N.
Proof.
by rewrite -(card_Sn h) -(card_orbit theta (@relabel1 _ _ _ _) (@relabelM _ _ _ _)).
Qed.

(* supports: prop-orbit-size *)
(* The stabilizer is a product of symmetric groups, one for each distinct unit. *)
Theorem card_stabilizer theta :
  #|stabilizer theta| = (\prod_(u <- distinct_units theta) (multiplicity theta u)`!)%N.
Proof.
rewrite -(card_preserving (hidden_unit theta)); apply: eq_card => s; rewrite !inE.
apply/eqP/forallP => [/relabel_fixP same i | same]; first by rewrite same.
by apply/relabel_fixP=> i; apply/eqP.
Qed.

(* slug: prop-orbit-size *)
(* The number of distinct relabellings is h! / (m_1! m_2! ...), where m_1, m_2, ...
   are the multiplicities of the distinct units; it is h! when all units differ. *)
Theorem orbit_size theta :
  (size (orbit theta) * \prod_(u <- distinct_units theta) (multiplicity theta u)`! = h`!)%N /\
  (injective (hidden_unit theta) -> size (orbit theta) = h`!).
Proof.
rewrite -card_stabilizer orbit_stabilizer; split=> // inj_units.
rewrite -(orbit_stabilizer theta) [stabilizer _](_ : _ = 1%g) ?cards1 ?muln1 //.
apply/setP=> s; rewrite !inE; apply/eqP/eqP => [/relabel_fixP same | ->]; last exact: relabel1.
by apply/permP=> i; rewrite perm1; apply/inj_units/same.
Qed.

End Counting.
