/**
 * Programs of the stage, GLSL 3. All light is linear until {@link COMPOSITE} encodes it. Coordinates are those of three.js:
 * x to the right, y up, z to the hall.
 */

/** Surfaces: what they show without a lamp, and for the lamps which way they face and how much they reflect. */
export const SURFACE = {
  vertex: /* glsl */ `
    in vec3 position;
    in vec3 normal;
    in float albedo;
    #ifdef USE_INSTANCING
      in mat4 instanceMatrix;
    #endif
    uniform mat4 viewMatrix;
    uniform mat4 projectionMatrix;
    out vec3 vAt;
    out vec3 vNormal;
    out float vAlbedo;
    void main() {
      vec4 at = vec4(position, 1.0);
      vec3 facing = normal;
      #ifdef USE_INSTANCING
        at = instanceMatrix * at;
        facing = mat3(instanceMatrix) * facing;
      #endif
      vAt = at.xyz;
      vNormal = facing;
      vAlbedo = albedo;
      gl_Position = projectionMatrix * viewMatrix * at;
    }`,
  fragment: /* glsl */ `
    precision highp float;
    in vec3 vAt;
    in vec3 vNormal;
    in float vAlbedo;
    uniform vec3 uNight;
    uniform vec3 uBounce;
    uniform vec3 uBounceAt;
    uniform vec3 uEye;
    layout(location = 0) out vec4 outLight;
    layout(location = 1) out vec4 outSurface;
    void main() {
      vec3 n = normalize(vNormal);
      vec3 to = uBounceAt - vAt;
      float away = length(to);
      // Light that comes back from the stage: a large soft source over it.
      float lit = max(0.0, dot(n, to / away) * 0.85 + 0.15) / (1.0 + away * away * 0.03);
      // Edges of what stands before the light are seen through it.
      float edge = 1.0 - abs(dot(n, normalize(uEye - vAt)));
      lit += edge * edge * edge * max(0.0, dot(normalize(vAt - uEye), to / away)) * 4.0 / (1.0 + away * 0.1);
      vec3 night = uNight * (0.55 + 0.45 * n.y);
      outLight = vec4(vAlbedo * (night + uBounce * lit), 1.0);
      outSurface = vec4(n * 0.5 + 0.5, vAlbedo);
    }`,
} as const;

/** Attributes of one head; see beam-light.ts. */
const HEAD = /* glsl */ `
    in vec4 headAt;    // where the light leaves it; radius of its lens
    in vec4 headAxis;  // unit vector; tangent of the half angle
    in vec4 headColor; // emitted light; metres until the beam has left the room`;

/** The face of a lamp, as bright as its light; seen from the front alone. */
export const LENS = {
  vertex: /* glsl */ `
    in vec3 position;
    ${HEAD}
    uniform mat4 viewMatrix;
    uniform mat4 projectionMatrix;
    out vec2 vOn;
    flat out vec3 vColor;
    flat out vec3 vAxis;
    void main() {
      vec3 side = normalize(abs(headAxis.y) < 0.95 ? cross(headAxis.xyz, vec3(0, 1, 0)) : cross(headAxis.xyz, vec3(1, 0, 0)));
      vec3 other = cross(headAxis.xyz, side);
      vec3 at = headAt.xyz + headAxis.xyz * 0.035 + (side * position.x + other * position.y) * headAt.w;
      vOn = position.xy;
      vColor = headColor.rgb;
      vAxis = headAxis.xyz;
      gl_Position = projectionMatrix * viewMatrix * vec4(at, 1.0);
    }`,
  fragment: /* glsl */ `
    precision highp float;
    in vec2 vOn;
    flat in vec3 vColor;
    flat in vec3 vAxis;
    layout(location = 0) out vec4 outLight;
    layout(location = 1) out vec4 outSurface;
    void main() {
      float r = dot(vOn, vOn);
      if (r > 1.0) discard;
      float most = max(vColor.r, max(vColor.g, vColor.b));
      // Its core is hotter than its colour; nothing else on the stage gets paler.
      vec3 light = mix(vColor, vec3(most), 0.15 * (1.0 - r)) * (5.0 - 3.0 * r);
      outLight = vec4(light + vec3(0.004), 1.0);
      outSurface = vec4(vAxis * 0.5 + 0.5, 0.02);
    }`,
} as const;

/**
 * The light of one head: what haze scatters along its cone, and what falls on the surface behind it. Drawn over the back
 * of the cone, so that it is seen from inside as well; surfaces are read from what was drawn before, so a beam ends
 * wherever it meets one.
 */
export const BEAM = {
  vertex: /* glsl */ `
    in vec3 position; // on a cone that is 1 wide and 1 long
    ${HEAD}
    in vec2 headGobo; // its number, 0 for none; 1 where it turns
    uniform mat4 viewMatrix;
    uniform mat4 projectionMatrix;
    uniform vec3 uEye;
    uniform float uTurn; // angle of gobos that turn
    flat out vec3 vAcross; // over the gobo, and its number
    flat out vec3 vUp;
    flat out float vGobo;
    out vec3 vRay;
    flat out vec3 vFromApex; // from the tip of the cone, which lies behind the lens, to the eye
    flat out vec3 vAxis;
    flat out vec3 vColor;
    flat out vec3 vShape; // tangent of the half angle; distances of lens and end from the tip
    void main() {
      vec3 axis = headAxis.xyz;
      float slope = headAxis.w;
      float lens = headAt.w / slope;
      vec3 side = normalize(abs(axis.y) < 0.95 ? cross(axis, vec3(0, 1, 0)) : cross(axis, vec3(1, 0, 0)));
      vec3 other = cross(axis, side);
      vec3 apex = headAt.xyz - axis * lens;
      float far = lens + headColor.a;
      float along = mix(lens, far, position.z);
      vec3 at = apex + axis * along + (side * position.x + other * position.y) * along * slope;
      vRay = at - uEye;
      vFromApex = uEye - apex;
      vAxis = axis;
      vColor = headColor.rgb;
      vShape = vec3(slope, lens, far);
      float turn = headGobo.y * uTurn;
      vAcross = side * cos(turn) + other * sin(turn);
      vUp = other * cos(turn) - side * sin(turn);
      vGobo = headGobo.x;
      float most = max(vColor.r, max(vColor.g, vColor.b));
      gl_Position = most > 0.002 ? projectionMatrix * viewMatrix * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
    }`,
  fragment: /* glsl */ `
    precision highp float;
    precision highp sampler3D;
    in vec3 vRay;
    flat in vec3 vFromApex;
    flat in vec3 vAxis;
    flat in vec3 vColor;
    flat in vec3 vShape;
    flat in vec3 vAcross;
    flat in vec3 vUp;
    flat in float vGobo;
    uniform sampler2D uDepth;
    uniform sampler2D uSurface;
    uniform sampler3D uNoise;
    uniform vec2 uPixel;   // size of one
    uniform vec3 uEye;
    uniform vec3 uForward;
    uniform vec2 uNearFar;
    uniform vec4 uStage;   // half width, back and front edge, height of the deck's underside
    uniform float uDrift;
    uniform float uIsHazy;
    out vec4 outLight;

    float falloff(float q) { float s = max(0.0, 1.0 - q); return s * s; }
    // Wider is thinner; of narrow beams less than nature has it, because eyes on a stage adapt.
    float thinning(float width2) { float r = inversesqrt(width2); return r * sqrt(r) / (1.0 + 0.3 * width2); }

    // From dark to light and back, over 1.
    float zigzag(float x) { return 4.0 * abs(fract(x) - 0.5) - 1.0; }

    // What a gobo lets through of a place in the cross-section of its beam, from the tip of the cone: bars, dots or spokes
    // stand for its unknown picture, so that two of a wheel look different.
    float passes(vec3 p, float edge) {
      vec2 on = vec2(dot(p, vAcross), dot(p, vUp)) / edge;
      float fine = 1.0 + 0.3 * floor(vGobo / 3.0);
      float kind = mod(vGobo, 3.0);
      float light;
      if (kind < 0.5) light = zigzag(1.6 * fine * on.x + 0.5) * zigzag(1.6 * fine * on.y + 0.5) - 0.1;
      else if (kind < 1.5) light = zigzag(1.5 * fine * on.x);
      else {
        vec2 twice = vec2(on.x * on.x - on.y * on.y, 2.0 * on.x * on.y);
        light = (twice.x * on.x - twice.y * on.y) * inversesqrt(dot(twice, twice) + 1e-4) / (length(on) + 0.05);
      }
      return 0.08 + 1.1 * smoothstep(-0.2, 0.2, light);
    }

    // The deck keeps light from what is behind and below it.
    bool isReached(vec3 place, vec3 toLens) {
      if (place.y > uStage.w || toLens.y < 1e-3) return true;
      vec3 through = place + toLens * ((uStage.w - place.y) / toLens.y);
      return abs(through.x) > uStage.x || through.z < uStage.y || through.z > uStage.z;
    }

    void main() {
      vec2 uv = gl_FragCoord.xy * uPixel;
      vec3 ray = normalize(vRay);
      float depth = texture(uDepth, uv).r;
      float ahead = uNearFar.x * uNearFar.y / (uNearFar.y - depth * (uNearFar.y - uNearFar.x));
      float wall = ahead / dot(ray, uForward);

      float slope2 = vShape.x * vShape.x;
      float k = 1.0 + slope2;
      float dv = dot(ray, vAxis);
      float cv = dot(vFromApex, vAxis);
      float a = dv * dv * k - 1.0;
      float b = dv * cv * k - dot(ray, vFromApex);
      float c = cv * cv * k - dot(vFromApex, vFromApex);
      float disc = b * b - a * c;
      if (disc <= 0.0) discard;
      float root = sqrt(disc);
      float near; float far;
      if (a < -1e-5) { near = (-b + root) / a; far = (-b - root) / a; }
      else if (dv > 0.0) { near = (-b + root) / a; far = 1e4; }
      else { near = -1e4; far = (-b - root) / a; }
      // Between lens and end, before the eye, and before whatever stands there.
      float toLens = (vShape.y - cv) / dv;
      float toEnd = (vShape.z - cv) / dv;
      near = max(near, min(toLens, toEnd));
      far = min(far, max(toLens, toEnd));
      // Around the eye the air is clear: a beam that passes it would fill the whole picture.
      near = max(near, CLEAR);
      float through = min(far, wall) - near;

      vec3 light = vec3(0.0);
      if (through > 0.0) {
        float sum = 0.0;
        float step = through / float(STEPS);
        float t = near + 0.5 * step;
        for (int i = 0; i < STEPS; i++) {
          vec3 p = vFromApex + ray * t;
          float along = cv + dv * t;
          float width2 = along * along * slope2;
          float lit = falloff((dot(p, p) - along * along) / width2) * thinning(width2 + 0.003);
          #ifdef HAS_GOBOS
            if (vGobo > 0.5) lit *= passes(p, along * vShape.x);
          #endif
          if (isReached(uEye + ray * t, vAxis * vShape.y - p)) sum += lit;
          t += step;
        }
        float haze = sum * step / (1.0 + 0.06 * max(0.0, cv + dv * (near + 0.5 * through) - vShape.y));
        if (uIsHazy > 0.5) {
          vec3 middle = uEye + ray * (near + 0.5 * through);
          float n = texture(uNoise, middle * vec3(0.11, 0.17, 0.11) + vec3(uDrift * 0.7, -uDrift * 0.5, uDrift)).r;
          n = mix(n, texture(uNoise, middle * vec3(0.37, 0.45, 0.37) - vec3(uDrift * 1.6, uDrift, 0.0)).r, 0.4);
          haze *= 0.45 + 1.1 * n;
        }
        float towards = 0.5 - 0.5 * dv;
        haze *= 0.75 + 1.5 * towards * towards * towards;
        // Eyes that look along a beam are dazzled; a picture has to show the rest as well.
        haze /= 1.0 + 0.4 * haze;
        light += vColor * haze * HAZE;
      }

      vec3 at = vFromApex + ray * wall;
      float along = dot(at, vAxis);
      float width2 = along * along * slope2;
      float q = (dot(at, at) - along * along) / width2;
      if (along > vShape.y && q < 1.0) {
        vec4 surface = texture(uSurface, uv);
        vec3 n = normalize(surface.xyz * 2.0 - 1.0);
        vec3 to = vAxis * vShape.y - at;
        float away = length(to);
        float facing = max(0.0, dot(n, to / away));
        if (!isReached(uEye + ray * wall, to)) facing = 0.0;
        #ifdef HAS_GOBOS
          if (vGobo > 0.5) facing *= passes(at, along * vShape.x);
        #endif
        light += vColor * surface.a * facing * falloff(q) * POOL * thinning(width2 + 0.02);
      }
      outLight = vec4(light, 1.0);
    }`,
} as const;

/** The halo of a lens: haze right before it, and the glare of one that looks at the eye. */
export const GLOW = {
  vertex: /* glsl */ `
    in vec3 position;
    ${HEAD}
    uniform mat4 viewMatrix;
    uniform mat4 projectionMatrix;
    uniform vec3 uEye;
    out vec2 vOn;
    flat out vec3 vColor;
    flat out float vAhead;
    void main() {
      vec3 at = headAt.xyz + headAxis.xyz * 0.05;
      vec3 to = uEye - at;
      float facing = max(0.0, dot(headAxis.xyz, normalize(to)));
      float edge = inversesqrt(1.0 + headAxis.w * headAxis.w);
      float glare = smoothstep(edge - 0.12, 1.0, facing);
      float size = headAt.w * (4.5 + 9.0 * glare);
      vColor = headColor.rgb * (0.1 + 0.35 * facing * facing + 1.6 * glare);
      vec4 seen = viewMatrix * vec4(at, 1.0);
      vAhead = -seen.z;
      vOn = position.xy;
      float most = max(headColor.r, max(headColor.g, headColor.b));
      gl_Position = most > 0.002 ? projectionMatrix * (seen + vec4(position.xy * size, 0, 0)) : vec4(2.0, 2.0, 2.0, 1.0);
    }`,
  fragment: /* glsl */ `
    precision highp float;
    in vec2 vOn;
    flat in vec3 vColor;
    flat in float vAhead;
    uniform sampler2D uDepth;
    uniform vec2 uPixel;
    uniform vec2 uNearFar;
    out vec4 outLight;
    void main() {
      float r = length(vOn);
      if (r > 1.0) discard;
      float depth = texture(uDepth, gl_FragCoord.xy * uPixel).r;
      float ahead = uNearFar.x * uNearFar.y / (uNearFar.y - depth * (uNearFar.y - uNearFar.x));
      if (ahead < vAhead - 0.2) discard;
      float s = 1.0 - r;
      s *= s;
      outLight = vec4(vColor * (s * s * 0.7 + exp(-r * r * 60.0)), 1.0);
    }`,
} as const;

const WHOLE = /* glsl */ `
    in vec3 position;
    out vec2 vUv;
    void main() {
      vUv = position.xy * 0.5 + 0.5;
      gl_Position = vec4(position.xy, 0.0, 1.0);
    }`;

/** Smaller than what it reads, each pixel the mean of sixteen. */
export const SHRINK = {
  vertex: WHOLE,
  fragment: /* glsl */ `
    precision highp float;
    in vec2 vUv;
    uniform sampler2D uFrom;
    uniform sampler2D uMore;
    uniform vec2 uPixel;
    uniform float uHasMore;
    out vec4 outLight;
    vec3 at(vec2 uv) {
      vec3 light = texture(uFrom, uv).rgb;
      if (uHasMore > 0.5) light += texture(uMore, uv).rgb;
      return min(light, vec3(40.0));
    }
    void main() {
      outLight = vec4(0.25 * (
        at(vUv + uPixel * vec2(-1, -1)) + at(vUv + uPixel * vec2(1, -1)) +
        at(vUv + uPixel * vec2(-1, 1)) + at(vUv + uPixel * vec2(1, 1))), 1.0);
    }`,
} as const;

/** Twice the size of what it reads, blurred, and added to what is there. */
export const GROW = {
  vertex: WHOLE,
  fragment: /* glsl */ `
    precision highp float;
    in vec2 vUv;
    uniform sampler2D uFrom;
    uniform vec2 uPixel;
    out vec4 outLight;
    void main() {
      vec3 light = texture(uFrom, vUv).rgb * 0.25;
      light += 0.125 * (texture(uFrom, vUv + uPixel * vec2(-1, 0)).rgb + texture(uFrom, vUv + uPixel * vec2(1, 0)).rgb +
        texture(uFrom, vUv + uPixel * vec2(0, -1)).rgb + texture(uFrom, vUv + uPixel * vec2(0, 1)).rgb);
      light += 0.0625 * (texture(uFrom, vUv + uPixel * vec2(-1, -1)).rgb + texture(uFrom, vUv + uPixel * vec2(1, -1)).rgb +
        texture(uFrom, vUv + uPixel * vec2(-1, 1)).rgb + texture(uFrom, vUv + uPixel * vec2(1, 1)).rgb);
      outLight = vec4(light * 0.8, 1.0);
    }`,
} as const;

/**
 * What the eye gets: surfaces, light and bloom, encoded as sRGB. The strongest channel alone is compressed and the others
 * follow in proportion, so a full red stays red; only light that no lamp gives alone whitens.
 */
export const COMPOSITE = {
  vertex: WHOLE,
  fragment: /* glsl */ `
    precision highp float;
    in vec2 vUv;
    uniform sampler2D uSurfaceLight;
    uniform sampler2D uLight;
    uniform sampler2D uBloom;
    uniform sampler2D uDepth;
    uniform vec2 uNearFar;
    uniform vec3 uBounce;
    uniform float uBloomShare;
    uniform vec2 uLightSize;
    uniform float uIsCoarse;
    out vec4 outColor;
    float aheadAt(vec2 uv) {
      return uNearFar.x * uNearFar.y / (uNearFar.y - texture(uDepth, uv).r * (uNearFar.y - uNearFar.x));
    }
    // Light that was drawn at fewer pixels, taken from those of them that lie as far away: edges stay sharp.
    vec3 lightAt(float ahead) {
      vec2 at = vUv * uLightSize - 0.5;
      vec2 low = (floor(at) + 0.5) / uLightSize;
      vec2 next = 1.0 / uLightSize;
      vec2 f = fract(at);
      vec4 far = vec4(aheadAt(low), aheadAt(low + vec2(next.x, 0)), aheadAt(low + vec2(0, next.y)), aheadAt(low + next));
      vec4 off = abs(far - ahead) / ahead;
      if (max(max(off.x, off.y), max(off.z, off.w)) < 0.03) return texture(uLight, vUv).rgb;
      vec4 share = vec4((1.0 - f.x) * (1.0 - f.y), f.x * (1.0 - f.y), (1.0 - f.x) * f.y, f.x * f.y) + 0.02;
      share /= 0.004 + off * off;
      return (share.x * texture(uLight, low).rgb + share.y * texture(uLight, low + vec2(next.x, 0)).rgb +
        share.z * texture(uLight, low + vec2(0, next.y)).rgb + share.w * texture(uLight, low + next).rgb) /
        (share.x + share.y + share.z + share.w);
    }
    // As sRGB within half a step of a byte, by roots alone: powers are dear where no graphics card is.
    vec3 encode(vec3 c) {
      vec3 a = sqrt(c);
      vec3 b = sqrt(a);
      return mix(12.92 * c, 0.662002687 * a + 0.684122060 * b - 0.323583601 * sqrt(b) - 0.0225411470 * c, step(0.0031308, c));
    }
    void main() {
      float ahead = aheadAt(vUv);
      vec3 light = texture(uSurfaceLight, vUv).rgb + (uIsCoarse > 0.5 ? lightAt(ahead) : texture(uLight, vUv).rgb);
      if (uBloomShare > 0.0) light += texture(uBloom, vUv).rgb * uBloomShare;
      light += uBounce * 0.012 * ahead / (ahead + 14.0);
      float most = max(light.r, max(light.g, light.b));
      float least = min(light.r, min(light.g, light.b));
      // Mixed light is paler than the eye finds it beside so much dark; white stays white.
      light -= 0.6 * least * (1.0 - least / max(most, 1e-5));
      // Beams behind each other are told apart far above what a lamp gives alone, and the hottest of it begins to whiten.
      float n = (1.15 + 1.3 * most) * most;
      light = mix(light, vec3(most), 0.4 * smoothstep(0.9, 6.0, most));
      light *= (1.0 - 1.0 / (1.0 + n + 0.5 * n * n)) / max(most, 1e-5);
      // Less than a step of brightness, against bands in the dark.
      float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
      outColor = vec4(encode(light) + noise / 255.0, 1.0);
    }`,
} as const;
