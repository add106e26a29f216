/** Why there is no film, as a sentence for a person. */
export class FilmError extends Error {}
