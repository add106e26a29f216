import type { LampBeams } from "@followspot/lighting";
import {
  BackSide,
  BufferAttribute,
  BufferGeometry,
  Camera,
  CustomBlending,
  Data3DTexture,
  DepthTexture,
  DoubleSide,
  GLSL3,
  HalfFloatType,
  LinearFilter,
  Mesh,
  NearestFilter,
  NoBlending,
  OneFactor,
  PerspectiveCamera,
  RawShaderMaterial,
  RedFormat,
  RepeatWrapping,
  Scene,
  UnsignedByteType,
  UnsignedIntType,
  Vector2,
  Vector3,
  Vector4,
  WebGLRenderer,
  WebGLRenderTarget,
  type IUniform,
  type Texture,
} from "three";
import { BeamLight } from "./beam-light.ts";
import { buildHall, buildTrusses, HALL } from "./build-hall.ts";
import { LampBodies } from "./lamp-bodies.ts";
import { QUALITIES, type Quality } from "./quality.ts";
import { BEAM, COMPOSITE, GLOW, GROW, LENS, SHRINK, SURFACE } from "./shaders.ts";
import { eyeOf, fieldOf, type Orbit } from "./stage-views.ts";

/** Metres from the eye. */
const NEAR = 0.15;
const FAR = 60;
/** The dark room, linear light; and where the light that comes back from the stage seems to be. */
const NIGHT = new Vector3(0.02, 0.023, 0.036);
const BOUNCE_AT = new Vector3(0, 1.6, 2.6);
/** Emitted light of so many lamps comes back as one. */
const BOUNCE_LAMPS = 40;
const BLOOM_LEVELS = 4;
const BLOOM_SHARE = 0.085;
/** Edge of the cube of haze noise; it repeats. */
const NOISE_SIZE = 32;
/** Widths of the noise that haze drifts in a second. */
const DRIFT = 0.006;
/** A gobo that turns slowly goes round once in so many seconds. */
const TURN_SECONDS = 20;

interface Layers {
  /** Light of surfaces without lamps, which way they face, and their depth. */
  readonly surfaces: WebGLRenderTarget;
  /** Light of the lamps. */
  readonly light: WebGLRenderTarget;
  readonly bloom: readonly WebGLRenderTarget[];
}

/**
 * Draws a rig on a stage. The scene is built once; a frame takes the beams as they stand.
 * Three passes: surfaces; the light of every head over them; both joined, with bloom, for the eye.
 */
export class StageRenderer {
  readonly #gl: WebGLRenderer;
  readonly #camera = new PerspectiveCamera(40, 1, NEAR, FAR);
  readonly #flat = new Camera();
  readonly #surfaces = new Scene();
  readonly #lights = new Scene();
  readonly #whole = new Scene();
  readonly #quad: Mesh;
  readonly #beams: BeamLight;
  readonly #bodies: LampBodies;
  readonly #hall: BufferGeometry;
  /** What lamps hang from and stand on. */
  readonly #trusses: Mesh;
  readonly #noise: Data3DTexture;
  readonly #materials: readonly RawShaderMaterial[];
  readonly #shrink: RawShaderMaterial;
  readonly #grow: RawShaderMaterial;
  readonly #composite: RawShaderMaterial;
  /** Shared by all programs: set once, and everywhere the same. */
  readonly #shared = {
    uEye: { value: new Vector3() },
    uForward: { value: new Vector3() },
    uNearFar: { value: new Vector2(NEAR, FAR) },
    uBounce: { value: new Vector3() },
    uDepth: { value: null as Texture | null },
    uSurface: { value: null as Texture | null },
    uPixel: { value: new Vector2() },
    uDrift: { value: 0 },
    uTurn: { value: 0 },
    uIsHazy: { value: 1 },
  };
  readonly #night = NIGHT.clone();
  #layers: Layers | undefined;
  #quality: Quality = QUALITIES[0]!;
  #width = 1;
  #height = 1;

  /** @throws where the browser has no WebGL 2 */
  constructor(canvas: HTMLCanvasElement, beams: LampBeams) {
    this.#gl = new WebGLRenderer({ canvas, antialias: false, alpha: false, depth: false, stencil: false });
    this.#gl.autoClear = false;
    this.#beams = new BeamLight(beams);
    this.#noise = hazeNoise();

    const shared = this.#shared;
    const surface = material(SURFACE, {
      uNight: { value: this.#night },
      uBounce: shared.uBounce,
      uBounceAt: { value: BOUNCE_AT },
      uEye: shared.uEye,
    });
    surface.side = DoubleSide;
    const lens = material(LENS, {});
    const beam = material(BEAM, {
      ...shared,
      uNoise: { value: this.#noise },
      uStage: { value: new Vector4(HALL.stageHalf, HALL.back, HALL.stageFront, -0.13) },
    });
    const hasGobos = beams.aims.some(({ gobos }) => gobos > 0);
    // Without a graphics card a picture of gobos costs time also where none is in a beam.
    beam.defines = { STEPS: 3, HAZE: "0.2", POOL: "2.4", CLEAR: "5.0", ...(hasGobos && { HAS_GOBOS: 1 }) };
    beam.side = BackSide;
    const glow = material(GLOW, shared);
    for (const added of [beam, glow]) add(added);
    this.#shrink = material(SHRINK, { uFrom: { value: null }, uMore: { value: null }, uPixel: { value: new Vector2() }, uHasMore: { value: 0 } }); // prettier-ignore
    this.#grow = add(material(GROW, { uFrom: { value: null }, uPixel: { value: new Vector2() } }));
    this.#composite = material(COMPOSITE, {
      uSurfaceLight: { value: null },
      uLight: { value: null },
      uBloom: { value: null },
      uDepth: shared.uDepth,
      uNearFar: shared.uNearFar,
      uBounce: shared.uBounce,
      uBloomShare: { value: 0 },
      uLightSize: { value: new Vector2() },
      uIsCoarse: { value: 0 },
    });
    this.#materials = [surface, lens, beam, glow, this.#shrink, this.#grow, this.#composite];

    this.#bodies = new LampBodies(beams, surface);
    this.#hall = buildHall();
    this.#trusses = still(new Mesh(buildTrusses(beams.lamps), surface));
    this.#surfaces.add(
      this.#trusses,
      still(new Mesh(this.#hall, surface)),
      ...this.#bodies.objects,
      still(new Mesh(this.#beams.discs, lens)),
    );
    this.#lights.add(still(new Mesh(this.#beams.cones, beam)), still(new Mesh(this.#beams.squares, glow)));
    this.#quad = still(new Mesh(wholePicture(), this.#composite));
    this.#whole.add(this.#quad);
  }

  /** @param width pixels of the screen */
  resize(width: number, height: number): void {
    if (width === this.#width && height === this.#height) return;
    this.#width = Math.max(1, width);
    this.#height = Math.max(1, height);
    this.#freeLayers();
  }

  /** How many times as bright as in the dark the room is. */
  set night(times: number) {
    this.#night.copy(NIGHT).multiplyScalar(times);
  }

  set quality(quality: Quality) {
    if (quality === this.#quality) return;
    this.#quality = quality;
    this.#freeLayers();
  }

  /** The same lamps at other places. */
  place(beams: LampBeams): void {
    this.#bodies.place(beams);
    this.#trusses.geometry.dispose();
    this.#trusses.geometry = buildTrusses(beams.lamps);
  }

  /** Draws the beams as they stand. @param seconds of the song, by which haze drifts and gobos turn */
  draw(beams: LampBeams, orbit: Orbit, seconds: number): void {
    const { surfaces, light, bloom } = (this.#layers ??= this.#makeLayers());
    this.#look(orbit);
    this.#beams.update(beams);
    this.#bodies.update(beams);
    const shared = this.#shared;
    shared.uBounce.value.fromArray(this.#beams.bounce).divideScalar(BOUNCE_LAMPS);
    shared.uDrift.value = (seconds * DRIFT) % 10;
    shared.uTurn.value = ((2 * Math.PI) / TURN_SECONDS) * (seconds % TURN_SECONDS);
    shared.uIsHazy.value = this.#quality.hasNoise ? 1 : 0;

    this.#gl.setRenderTarget(surfaces);
    this.#gl.clear();
    this.#gl.render(this.#surfaces, this.#camera);
    shared.uDepth.value = surfaces.depthTexture;
    shared.uSurface.value = surfaces.textures[1]!;
    shared.uPixel.value.set(1 / light.width, 1 / light.height);
    this.#gl.setRenderTarget(light);
    this.#gl.clear();
    this.#gl.render(this.#lights, this.#camera);
    if (this.#quality.hasBloom) this.#drawBloom(surfaces.textures[0]!, light.texture, bloom);
    (this.#composite.uniforms["uLightSize"]!.value as Vector2).set(light.width, light.height);
    this.#pass(this.#composite, null, {
      uSurfaceLight: surfaces.textures[0]!,
      uLight: light.texture,
      uBloom: bloom[0]?.texture ?? light.texture,
      uBloomShare: this.#quality.hasBloom ? BLOOM_SHARE : 0,
      uIsCoarse: this.#quality.lightPixels < 1 ? 1 : 0,
    });
  }

  /** The picture that was drawn last, right after it was: red, green, blue, alpha in rows from below. */
  pixels(): Uint8Array<ArrayBuffer> {
    const gl = this.#gl.getContext();
    const [width, height] = [gl.drawingBufferWidth, gl.drawingBufferHeight];
    const bytes = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    return bytes;
  }

  dispose(): void {
    this.#freeLayers();
    this.#beams.dispose();
    this.#bodies.dispose();
    this.#hall.dispose();
    this.#trusses.geometry.dispose();
    this.#noise.dispose();
    this.#quad.geometry.dispose();
    for (const each of this.#materials) each.dispose();
    this.#gl.dispose();
  }

  #look(orbit: Orbit): void {
    const [x, y, z] = eyeOf(orbit);
    const camera = this.#camera;
    camera.aspect = this.#width / this.#height;
    camera.fov = fieldOf(camera.aspect);
    camera.position.set(x, z, y);
    camera.lookAt(orbit.at[0], orbit.at[2], orbit.at[1]);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    this.#shared.uEye.value.copy(camera.position);
    camera.getWorldDirection(this.#shared.uForward.value);
  }

  /** Down to ever smaller pictures and back up, each blurred once: wide soft light for little work. */
  #drawBloom(surfaceLight: Texture, lampLight: Texture, bloom: readonly WebGLRenderTarget[]): void {
    for (const [i, target] of bloom.entries()) {
      const from = i === 0 ? lampLight : bloom[i - 1]!.texture;
      const pixel = this.#shrink.uniforms["uPixel"]!.value as Vector2;
      pixel.set(0.5 / target.width, 0.5 / target.height);
      this.#pass(this.#shrink, target, { uFrom: from, uMore: surfaceLight, uHasMore: i === 0 ? 1 : 0 });
    }
    for (let i = bloom.length - 1; i > 0; i--) {
      const pixel = this.#grow.uniforms["uPixel"]!.value as Vector2;
      pixel.set(1 / bloom[i]!.width, 1 / bloom[i]!.height);
      this.#pass(this.#grow, bloom[i - 1]!, { uFrom: bloom[i]!.texture });
    }
  }

  #pass(by: RawShaderMaterial, to: WebGLRenderTarget | null, values: Readonly<Record<string, Texture | number>>): void {
    for (const name in values) by.uniforms[name]!.value = values[name];
    this.#quad.material = by;
    this.#gl.setRenderTarget(to);
    this.#gl.render(this.#whole, this.#flat);
  }

  #makeLayers(): Layers {
    const { pixels, lightPixels, hasBloom } = this.#quality;
    const sized = (share: number): [number, number] => [
      Math.max(1, Math.round(this.#width * share)),
      Math.max(1, Math.round(this.#height * share)),
    ];
    const [width, height] = sized(pixels);
    this.#gl.setPixelRatio(1);
    this.#gl.setSize(width, height, false);
    const surfaces = new WebGLRenderTarget(width, height, {
      count: 2,
      minFilter: NearestFilter,
      magFilter: NearestFilter,
    });
    surfaces.textures[0]!.type = HalfFloatType;
    surfaces.depthTexture = new DepthTexture(width, height, UnsignedIntType);
    const soft = (size: [number, number]) =>
      new WebGLRenderTarget(...size, { type: HalfFloatType, depthBuffer: false, minFilter: LinearFilter, magFilter: LinearFilter }); // prettier-ignore
    return {
      surfaces,
      light: soft(sized(pixels * lightPixels)),
      bloom: hasBloom ? Array.from({ length: BLOOM_LEVELS }, (_, i) => soft(sized(pixels / 2 ** (i + 2)))) : [],
    };
  }

  #freeLayers(): void {
    if (!this.#layers) return;
    for (const target of [this.#layers.surfaces, this.#layers.light, ...this.#layers.bloom]) {
      target.depthTexture?.dispose();
      target.dispose();
    }
    this.#layers = undefined;
  }
}

interface Program {
  readonly vertex: string;
  readonly fragment: string;
}

function material({ vertex, fragment }: Program, uniforms: Record<string, IUniform>): RawShaderMaterial {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: vertex,
    fragmentShader: fragment,
    uniforms,
    blending: NoBlending,
  });
}

/** Light on light is more light. */
function add(to: RawShaderMaterial): RawShaderMaterial {
  to.blending = CustomBlending;
  to.blendSrc = OneFactor;
  to.blendDst = OneFactor;
  to.transparent = true;
  to.depthTest = false;
  to.depthWrite = false;
  return to;
}

/** Placed by its program, whatever three.js thinks of where it is. */
function still<Thing extends Mesh>(mesh: Thing): Thing {
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  return mesh;
}

/** One triangle that covers the picture. */
function wholePicture(): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.of(-1, -1, 0, 3, -1, 0, -1, 3, 0), 3));
  return geometry;
}

/** A cube of soft noise without seams, the same every time. */
function hazeNoise(): Data3DTexture {
  const n = NOISE_SIZE;
  let seed = 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  let values = Float32Array.from({ length: n ** 3 }, random);
  const blurred = new Float32Array(n ** 3);
  for (const step of [1, n, n * n, 1, n, n * n]) {
    for (let i = 0; i < values.length; i++) {
      const place = Math.floor(i / step) % n;
      const before = i + (((place + n - 1) % n) - place) * step;
      const after = i + (((place + 1) % n) - place) * step;
      blurred[i] = 0.25 * values[before]! + 0.5 * values[i]! + 0.25 * values[after]!;
    }
    values = blurred.slice();
  }
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  const bytes = Uint8Array.from(values, (value) => (255 * (value - least)) / (most - least));
  const texture = new Data3DTexture(bytes, n, n, n);
  texture.format = RedFormat;
  texture.type = UnsignedByteType;
  texture.minFilter = LinearFilter;
  texture.magFilter = LinearFilter;
  texture.wrapS = texture.wrapT = texture.wrapR = RepeatWrapping;
  texture.needsUpdate = true;
  return texture;
}
