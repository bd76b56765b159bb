(** * The formulas are the gradient

    No limits are needed to say so.  A is a ring of functions of one variable that
    can be differentiated at a point; [value a] is the value there and [D a] the
    derivative there, with the sum and product rules.  A curve of parameters is a
    parameterization over A.  The theorem says that the derivative of the loss along
    every curve is the inner product of the chapter's formulas with the velocity of
    the curve; only one thing can be that, and it is the gradient.

    Over the reals take for A the functions differentiable at 0, and for sigma a
    differentiable function.  At the kink of relu there is no derivative, and the
    theorem says nothing. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From PermSym Require Import permutation forward backward.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory.
Local Open Scope ring_scope.

(** ** Derivatives and inner products *)

Record derivative (A R : comRingType) := Derivative {
  value : {rmorphism A -> R};
  D : {additive A -> R};
  product_rule : forall a b, D (a * b) = D a * value b + value a * D b
}.

(** On functions, [lift] does what sigma does on values; sigma' is its derivative. *)
Definition chain_rule (A R : comRingType) (dv : derivative A R) (lift : A -> A)
    (sigma sigma' : R -> R) : Prop :=
  forall a, value dv (lift a) = sigma (value dv a) /\ D dv (lift a) = sigma' (value dv a) * D dv a.

(** The sum of the products of corresponding entries. *)
Definition inner (R : comRingType) m n (U V : 'M[R]_(m, n)) : R := \sum_i \sum_j U i j * V i j.

Definition inner_params (R : comRingType) d h q (g v : params R d h q) : R :=
  inner (W1 g) (W1 v) + inner (b1 g) (b1 v) + inner (W2 g) (W2 v) + inner (b2 g) (b2 v).

(** A function applied to every weight. *)
Definition map_params (A R : Type) d h q (f : A -> R)
    (theta : 'M[A]_(d, h) * 'M[A]_(1, h) * 'M[A]_(h, q) * 'M[A]_(1, q)) :=
  (map_mx f theta.1.1.1, map_mx f theta.1.1.2, map_mx f theta.1.2, map_mx f theta.2).

(** A loss whose derivative by the outputs O is [err O Y], the targets Y being
    constant. *)
Definition loss_derivative (A R : comRingType) (dv : derivative A R) q
    (loss : forall n, 'M[A]_(n, q) -> 'M[A]_(n, q) -> A) (err : output_error R q) : Prop :=
  forall n (O Y : 'M[A]_(n, q)), map_mx (D dv) Y = 0 ->
    D dv (loss n O Y) = inner (err n (map_mx (value dv) O) (map_mx (value dv) Y)) (map_mx (D dv) O).

Section Inner.

Variable R : comRingType.

Lemma inner_trace m n (U V : 'M[R]_(m, n)) : inner U V = \tr (U^T *m V).
Proof.
rewrite /inner exchange_big /mxtrace; apply: eq_bigr => j _; rewrite mxE.
by apply: eq_bigr => i _; rewrite mxE.
Qed.

Lemma innerDr m n (U V V' : 'M[R]_(m, n)) : inner U (V + V') = inner U V + inner U V'.
Proof. by rewrite !inner_trace mulmxDr raddfD. Qed.

Lemma inner0r m n (U : 'M[R]_(m, n)) : inner U 0 = 0.
Proof. by rewrite inner_trace mulmx0 raddf0. Qed.

Lemma innerC m n (U V : 'M[R]_(m, n)) : inner U V = inner V U.
Proof. by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite mulrC. Qed.

(** What multiplies on the right moves to the left, transposed. *)
Lemma inner_mull m n p (U : 'M[R]_(m, p)) (V : 'M_(m, n)) (V' : 'M_(n, p)) :
  inner U (V *m V') = inner (V^T *m U) V'.
Proof. by rewrite !inner_trace trmx_mul trmxK mulmxA. Qed.

Lemma inner_mulr m n p (U : 'M[R]_(m, p)) (V : 'M_(m, n)) (V' : 'M_(n, p)) :
  inner U (V *m V') = inner (U *m V'^T) V.
Proof. by rewrite !inner_trace trmx_mul trmxK mulmxA mxtrace_mulC mulmxA. Qed.

Lemma inner_hadamard m n (U V V' : 'M[R]_(m, n)) : inner U (V ⊙ V') = inner (U ⊙ V) V'.
Proof. by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite !mxE mulrA. Qed.

Lemma inner_delta m n (U : 'M[R]_(m, n)) i j : inner U (delta_mx i j) = U i j.
Proof.
rewrite /inner (bigD1 i) //= (bigD1 j) //= mxE !eqxx mulr1 !big1 ?addr0 // => [k k_i | k k_j].
  by rewrite big1 // => l _; rewrite mxE (negPf k_i) mulr0.
by rewrite mxE (negPf k_j) andbF mulr0.
Qed.

(* supports: thm-backward-invariance *)
(* Only one g can have a given inner product with every v. *)
Theorem gradient_unique d h q (g g' : params R d h q) :
  (forall v, inner_params g v = inner_params g' v) -> g = g'.
Proof.
move=> same; have entries U b V c := same (U, b, V, c); rewrite /inner_params /= in entries.
case: g g' {same} entries => [[[? ?] ?] ?] [[[? ?] ?] ?] entries.
congr (_, _, _, _); apply/matrixP=> i j.
- by have:= entries (delta_mx i j) 0 0 0; rewrite !inner0r !addr0 !inner_delta.
- by have:= entries 0 (delta_mx i j) 0 0; rewrite !inner0r !addr0 !add0r !inner_delta.
- by have:= entries 0 0 (delta_mx i j) 0; rewrite !inner0r !addr0 !add0r !inner_delta.
- by have:= entries 0 0 0 (delta_mx i j); rewrite !inner0r !add0r !inner_delta.
Qed.

End Inner.

(** ** The theorem *)

Section Gradient.

Variables (A R : comRingType) (dv : derivative A R).
Local Notation value := (value dv).
Local Notation D := (D dv).

Lemma D_mul m n p (U : 'M[A]_(m, n)) (V : 'M[A]_(n, p)) :
  map_mx D (U *m V) = map_mx D U *m map_mx value V + map_mx value U *m map_mx D V.
Proof.
apply/matrixP=> i j; rewrite !mxE raddf_sum -big_split; apply: eq_bigr => k _.
by rewrite product_rule !mxE.
Qed.

Lemma D_one : D 1 = 0.
Proof.
by apply: (@addrI _ (D 1)); rewrite addr0 -{3}[1]mulr1 product_rule rmorph1 mulr1 mul1r.
Qed.

Lemma D_ones n : map_mx D (ones n) = 0.
Proof. by apply/matrixP=> i j; rewrite !mxE D_one. Qed.

Lemma value_ones n : map_mx value (ones n) = ones n.
Proof. by apply/matrixP=> i j; rewrite !mxE rmorph1. Qed.

Lemma D_inner m n (U V : 'M[A]_(m, n)) :
  D (inner U V) = inner (map_mx D U) (map_mx value V) + inner (map_mx value U) (map_mx D V).
Proof.
rewrite /inner raddf_sum -big_split; apply: eq_bigr => i _.
rewrite raddf_sum -big_split; apply: eq_bigr => j _.
by rewrite product_rule !mxE.
Qed.

(** One layer X W + b: an error U at its output is X^T U seen from W, 1^T U seen from
    b, and U W^T seen from X. *)
Lemma value_layer n m p (X : 'M[A]_(n, m)) (W : 'M[A]_(m, p)) b :
  map_mx value (X *m W + ones n *m b) =
  map_mx value X *m map_mx value W + ones n *m map_mx value b.
Proof. by rewrite map_mxD !map_mxM value_ones. Qed.

Lemma D_layer n m p (X : 'M[A]_(n, m)) (W : 'M[A]_(m, p)) b U :
  inner U (map_mx D (X *m W + ones n *m b)) =
  inner ((map_mx value X)^T *m U) (map_mx D W) + inner ((ones n)^T *m U) (map_mx D b) +
  inner (U *m (map_mx value W)^T) (map_mx D X).
Proof.
rewrite map_mxD !D_mul D_ones mul0mx add0r value_ones !innerDr inner_mulr !inner_mull.
by rewrite -addrA addrC.
Qed.

Section Activation.

Variables (lift : A -> A) (sigma sigma' : R -> R).
Hypothesis rule : chain_rule dv lift sigma sigma'.

Lemma value_lift m n (U : 'M[A]_(m, n)) :
  map_mx value (map_mx lift U) = map_mx sigma (map_mx value U).
Proof. by apply/matrixP=> i j; rewrite !mxE; case: (rule (U i j)). Qed.

Lemma D_lift m n (U : 'M[A]_(m, n)) :
  map_mx D (map_mx lift U) = map_mx sigma' (map_mx value U) ⊙ map_mx D U.
Proof. by apply/matrixP=> i j; rewrite !mxE; case: (rule (U i j)). Qed.

End Activation.

(* supports: thm-backward-invariance *)
(* Along every curve theta of parameters, the derivative of the loss is the inner
   product of the chapter's formulas with the derivative of theta. *)
Theorem gradient_formulas d h q lift sigma sigma' loss err n
    (X : 'M[A]_(n, d)) (Y : 'M[A]_(n, q)) (theta : params A d h q) :
  chain_rule dv lift sigma sigma' -> loss_derivative dv loss err ->
  map_mx D X = 0 -> map_mx D Y = 0 ->
  D (loss n (O lift X theta) Y) =
  inner_params (grad sigma sigma' err (map_mx value X) (map_mx value Y) (map_params value theta))
               (map_params D theta).
Proof.
move=> rule loss_rule X_const Y_const; rewrite loss_rule //.
have value_Z : map_mx value (Z X theta) = Z (map_mx value X) (map_params value theta).
  exact: value_layer.
have value_H : map_mx value (H lift X theta) = H sigma (map_mx value X) (map_params value theta).
  by rewrite (value_lift rule) value_Z.
have value_O : map_mx value (O lift X theta) = O sigma (map_mx value X) (map_params value theta).
  by rewrite value_layer value_H.
rewrite value_O -/(delta_O _ _ _ _ _) D_layer value_H (D_lift rule) value_Z.
by rewrite inner_hadamard D_layer X_const inner0r addr0 addrC addrA.
Qed.

(** ** The squared error *)

(** [half] is 1/2. *)
Definition squared_loss (half : A) q n (O Y : 'M[A]_(n, q)) : A := half * inner (O - Y) (O - Y).

(* supports: thm-backward-invariance *)
(* The derivative of (1/2) |O - Y|^2 by O is O - Y. *)
Lemma squared_loss_derivative half q :
  half *+ 2 = 1 -> loss_derivative dv (@squared_loss half q) residual.
Proof.
move=> half2 n O Y Y_const; have D_half2 : D half *+ 2 = 0 by rewrite -raddfMn half2 D_one.
have D_half : D half = 0.
  by rewrite -[LHS]mulr1 -(rmorph1 (value)) -half2 rmorphMn mulrnAr -mulrnAl D_half2 mul0r.
rewrite /squared_loss product_rule D_half mul0r add0r D_inner [inner (map_mx D _) _]innerC.
rewrite -mulr2n mulrnAr -mulrnAl -rmorphMn half2 rmorph1 mul1r.
by rewrite !map_mxB Y_const subr0.
Qed.

End Gradient.

(** ** Polynomial sigma, over any commutative ring *)

(** Here curves are straight lines theta + t v and functions of t are polynomials,
    so that all derivatives are formal and the theorem needs no hypothesis. *)
Section Polynomial.

Variable R : comRingType.

Let value_at_0 : {rmorphism {poly R} -> R} := [rmorphism of horner_eval (0 : R)].
Let D_at_0 : {additive {poly R} -> R} := [additive of horner_eval (0 : R) \o @deriv R].

Lemma polynomial_product_rule a b :
  D_at_0 (a * b) = D_at_0 a * value_at_0 b + value_at_0 a * D_at_0 b.
Proof. by rewrite /= /horner_eval derivM hornerD !hornerM. Qed.

Definition polynomial_derivative : derivative [comRingType of {poly R}] R :=
  Derivative polynomial_product_rule.

Lemma polynomial_chain_rule (p : {poly R}) :
  chain_rule polynomial_derivative (fun a => p \Po a) (horner p) (horner p^`()).
Proof. by move=> a; rewrite /= /horner_eval horner_comp deriv_comp hornerM horner_comp. Qed.

(** The line through theta with velocity v, and a matrix of constants. *)
Definition line (a v : R) : {poly R} := a%:P + v *: 'X.
Definition constant m n (U : 'M[R]_(m, n)) : 'M[{poly R}]_(m, n) := map_mx polyC U.
Definition line_params d h q (theta v : params R d h q) : params [comRingType of {poly R}] d h q :=
  let mx m n (U V : 'M[R]_(m, n)) : 'M[{poly R}]_(m, n) := \matrix_(i, j) line (U i j) (V i j) in
  (mx _ _ (W1 theta) (W1 v), mx _ _ (b1 theta) (b1 v),
   mx _ _ (W2 theta) (W2 v), mx _ _ (b2 theta) (b2 v)).

(* supports: thm-backward-invariance *)
(* For a polynomial sigma and the squared error, in a ring that contains 1/2: the
   derivative of the loss along the line theta + t v, at t = 0, is the inner product
   of the chapter's formulas with v. *)
Theorem polynomial_gradient d h q (p : {poly R}) (half : R) n
    (X : 'M[R]_(n, d)) (Y : 'M[R]_(n, q)) (theta v : params R d h q) :
  half *+ 2 = 1 ->
  let L : {poly R} := squared_loss half%:P
    (O (fun a => p \Po a) (constant X) (line_params theta v)) (constant Y) in
  L^`().[0] = inner_params (grad (horner p) (horner p^`()) residual X Y theta) v.
Proof.
move=> half2 L; have half2P : half%:P *+ 2 = 1 :> {poly R} by rewrite -polyCMn half2.
pose dv := polynomial_derivative.
have value_const a : value dv a%:P = a by rewrite /= /horner_eval hornerC.
have D_const a : D dv a%:P = 0 by rewrite /= derivC /horner_eval horner0.
have value_line a b : value dv (line a b) = a.
  by rewrite /= /horner_eval hornerD hornerZ hornerX mulr0 addr0 hornerC.
have D_line a b : D dv (line a b) = b.
  by rewrite /= derivD derivC derivZ derivX add0r /horner_eval hornerZ hornerC mulr1.
have := @gradient_formulas _ _ dv d h q _ _ _ _ _ n (constant X) (constant Y)
  (line_params theta v) (@polynomial_chain_rule p) (squared_loss_derivative (q := q) half2P).
have -> : map_mx (value dv) (constant X) = X by apply/matrixP=> i j; rewrite !mxE value_const.
have -> : map_mx (value dv) (constant Y) = Y by apply/matrixP=> i j; rewrite !mxE value_const.
have -> : map_params (value dv) (line_params theta v) = theta.
  by case: (theta) => [[[? ?] ?] ?]; congr (_, _, _, _);
    apply/matrixP=> i j; rewrite !mxE value_line.
have -> : map_params (D dv) (line_params theta v) = v.
  by case: (v) => [[[? ?] ?] ?]; congr (_, _, _, _);
    apply/matrixP=> i j; rewrite !mxE D_line.
by apply; apply/matrixP=> i j; rewrite !mxE D_const.
Qed.

End Polynomial.
