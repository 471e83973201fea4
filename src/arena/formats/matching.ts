/**
 * A largest matching of the graph with `count` vertices: pairs of adjacent ones, no vertex in two. Returns the partner of
 * each vertex, -1 for those without one. Edmonds' algorithm, which contracts odd circles (Edmonds 1965, "Paths, trees, and
 * flowers"); its time grows with the cube of `count`.
 */
export function largestMatching(count: number, isEdge: (one: number, other: number) => boolean): Int32Array {
  const partner = new Int32Array(count).fill(-1);
  for (let one = 0; one < count; one++)
    for (let other = one + 1; other < count && partner[one] === -1; other++)
      if (partner[other] === -1 && isEdge(one, other)) {
        partner[one] = other;
        partner[other] = one;
      }
  for (let root = 0; root < count; root++)
    if (partner[root] === -1) new AlternatingTree(partner, isEdge).augment(root);
  return partner;
}

/** A search from a vertex without a partner, along edges that are in turn out of the matching and in it. */
class AlternatingTree {
  private readonly partner: Int32Array;
  private readonly isEdge: (one: number, other: number) => boolean;
  /** By vertex: the vertex before it on its path to the root, -1 if none is known. */
  private readonly parent: Int32Array;
  /** By vertex: the first vertex of the contracted circle that it is in. */
  private readonly base: Int32Array;
  private readonly isReached: Uint8Array;
  private readonly queue: number[] = [];

  constructor(partner: Int32Array, isEdge: (one: number, other: number) => boolean) {
    const count = partner.length;
    this.partner = partner;
    this.isEdge = isEdge;
    this.parent = new Int32Array(count).fill(-1);
    this.base = Int32Array.from({ length: count }, (_, vertex) => vertex);
    this.isReached = new Uint8Array(count);
  }

  /** Enlarges the matching by one pair, if a path from `root` allows it. */
  augment(root: number): void {
    const { partner, parent } = this;
    for (let end = this.findEnd(root); end !== -1;) {
      const before = parent[end];
      const next = partner[before];
      partner[end] = before;
      partner[before] = end;
      end = next;
    }
  }

  /** The other end of a path from `root` to a vertex without a partner; -1 if there is none. */
  private findEnd(root: number): number {
    const { partner, parent, base, isReached, queue } = this;
    this.reach(root);
    for (let at = 0; at < queue.length; at++) {
      const one = queue[at];
      for (let other = 0; other < partner.length; other++) {
        if (base[one] === base[other] || partner[one] === other || !this.isEdge(one, other)) continue;
        if (other === root || (partner[other] !== -1 && parent[partner[other]] !== -1)) {
          this.contract(one, other);
        } else if (parent[other] === -1) {
          parent[other] = one;
          if (partner[other] === -1) return other;
          if (isReached[partner[other]] === 0) this.reach(partner[other]);
        }
      }
    }
    return -1;
  }

  private reach(vertex: number): void {
    this.isReached[vertex] = 1;
    this.queue.push(vertex);
  }

  /** Contracts the circle that the edge closes. */
  private contract(one: number, other: number): void {
    const { base } = this;
    const first = this.commonBase(one, other);
    const inCircle = new Uint8Array(base.length);
    this.markPath(one, { first, child: other, inCircle });
    this.markPath(other, { first, child: one, inCircle });
    for (let vertex = 0; vertex < base.length; vertex++) {
      if (inCircle[base[vertex]] === 0) continue;
      base[vertex] = first;
      if (this.isReached[vertex] === 0) this.reach(vertex);
    }
  }

  /** The vertex at which the paths of two vertices to the root meet. */
  private commonBase(one: number, other: number): number {
    const { base, partner, parent } = this;
    const isOnPath = new Uint8Array(base.length);
    for (let vertex = base[one]; ; vertex = base[parent[partner[vertex]]]) {
      isOnPath[vertex] = 1;
      if (partner[vertex] === -1) break;
    }
    let vertex = base[other];
    while (isOnPath[vertex] === 0) vertex = base[parent[partner[vertex]]];
    return vertex;
  }

  private markPath(
    from: number,
    { first, child, inCircle }: { first: number; child: number; inCircle: Uint8Array },
  ): void {
    const { base, partner, parent } = this;
    for (let [vertex, before] = [from, child]; base[vertex] !== first;) {
      inCircle[base[vertex]] = inCircle[base[partner[vertex]]] = 1;
      parent[vertex] = before;
      before = partner[vertex];
      vertex = parent[partner[vertex]];
    }
  }
}
