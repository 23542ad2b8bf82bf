/**
 * The compiler's hold on the shim: where a class of the shim takes the place of one of Obsidian's, each member that it has
 * must be assignable to the real one. A shim that drifts does not compile.
 */

type AnyClass = abstract new (...args: never[]) => object;

/** The class itself, once its constructor and members fit those of `Real`. */
export function standsFor<Real extends AnyClass>(shim: abstract new (...args: ConstructorParameters<Real>) => Partial<InstanceType<Real>>): typeof shim {
  return shim;
}

/** An object of the shim's, as the real one that others see it as. */
export function real<Real extends object>(shim: Partial<Real>): Real {
  return shim as Real;
}
