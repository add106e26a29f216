/** The reason why a film cannot be made, as a sentence for users. */
export class FilmError extends Error {}
