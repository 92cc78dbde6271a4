/** Finds the functions whose embeddings are nearest to one. */
export type Search = {
  /** Takes in the embeddings of these texts, and forgets those of others. */
  load(hashes: readonly string[]): Promise<void>
  /** The hashes of at most `count` texts by cosine, nearest first. There may be some among them that were not loaded. */
  nearest(vector: readonly number[], count: number): Promise<string[]>
}
