import type { FeatureSet } from "../contract/facets.ts";
import type { State } from "../contract/rules.ts";

/** Features that are active or not, as the player to move sees them, with images. */
export type ViewedFeatures<S extends State> = FeatureSet<S> &
  Required<Pick<FeatureSet<S>, "unit" | "symmetry" | "viewer" | "images">>;

/** The features that follow others; they are active or not, and have the same images in the same order. */
export type MoreFeatures<S extends State> = Required<
  Pick<FeatureSet<S>, "size" | "maxActive" | "images" | "describe" | "extract">
>;

/** The features of `first`, and after them those of `second`; all else is that of `first`. */
export function joinedFeatures<S extends State>(
  first: ViewedFeatures<S>,
  second: MoreFeatures<S>,
  summary: string,
): ViewedFeatures<S> {
  const { size, version, unit, symmetry } = first;
  const found = new Int32Array(second.maxActive);
  let images: readonly Int32Array[] | undefined;
  const joined = (image: Int32Array, more: Int32Array) => {
    const both = new Int32Array(size + second.size);
    both.set(image);
    for (let feature = 0; feature < more.length; feature++) both[size + feature] = size + more[feature];
    return both;
  };
  return {
    summary,
    version,
    size: size + second.size,
    maxActive: first.maxActive + second.maxActive,
    unit,
    symmetry,
    viewer: (state) => first.viewer(state),
    get images() {
      return (images ??= first.images.map((image, at) => joined(image, second.images[at]!)));
    },
    extract(state, player, index, value) {
      let end = first.extract(state, player, index, value);
      const count = second.extract(state, player, found, value);
      for (let at = 0; at < count; at++) index[end++] = size + found[at];
      return end;
    },
    describe: (feature) => (feature < size ? first.describe(feature) : second.describe(feature - size)),
  };
}
