import { errors, jwtVerify, SignJWT } from "jose";

export const TOKEN_DAYS = 30;
const ISSUER = "followspot";
const AUDIENCE = "followspot";

export interface TokenClaims {
  readonly userId: string;
  readonly sessionId: string;
}

/** @param secret at least 32 bytes */
export async function signToken(secret: Uint8Array, claims: TokenClaims): Promise<string> {
  return new SignJWT({ sid: claims.sessionId })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(claims.userId)
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_DAYS}d`)
    .sign(secret);
}

/** Returns the claims of a valid token that this server has signed; undefined for any other text. */
export async function verifyToken(secret: Uint8Array, token: string): Promise<TokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ["HS256"],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["sub", "sid", "iat", "exp"],
    });
    if (typeof payload.sub !== "string" || typeof payload.sid !== "string") return undefined;
    return { userId: payload.sub, sessionId: payload.sid };
  } catch (error) {
    // An invalid token is a normal result, not an error.
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}
