import { build, type Plugin, type Rolldown, type UserConfig } from "vite";

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** From this many bytes on, a file is worth asking for alone. */
const LARGE_BYTES = 10_000;
/** Fewer bytes than a request costs. */
const TINY_BYTES = 2_000;
/** Screens and dialogs that share a file: from so many on, every screen reads it. */
const MOST = 20;
/** … from so many on, it is joined with others. */
const SEVERAL = 5;
/** Parts of the console's frame with files of their own: they stand around every screen. */
const FRAME = new Set(["account-menu", "desk-header", "events-socket"]);

/** Joins small files of a build. @param config of the build without this plugin */
export function joinSharedChunks(config: UserConfig): Plugin {
  return {
    name: "followspot:join-shared-chunks",
    apply: "build",
    async config() {
      const names = await sharedChunks(config);
      const shared = { debugName: "shared", name: (id: string) => names.get(id) };
      const codeSplitting = { includeDependenciesRecursively: false, groups: [shared] };
      return { build: { rolldownOptions: { output: { codeSplitting } } } };
    },
  };
}

/**
 * Into which file goes what several documents, screens or dialogs share. The bundler makes a file for each set of sharers: a
 * screen came in sixty, most of them smaller than their own headers. So a first build in memory shows what it would make, and its
 * small files are joined, unless a screen would then read a large file that it does not need.
 *
 * @returns the name of the file by the id of the module; modules that are not shared are missing
 */
async function sharedChunks(config: UserConfig): Promise<ReadonlyMap<string, string>> {
  const chunks = await chunksOf(config);
  const audiences = audiencesOf(chunks);
  const sharers = new Map<string, Rolldown.OutputChunk[]>([...chunks.keys()].map((file) => [file, []]));
  const later = new Set([...chunks.values()].flatMap(({ dynamicImports }) => dynamicImports));
  for (const [file, chunk] of chunks)
    if (chunk.isEntry || later.has(file)) for (const read of readWith(file, chunks)) sharers.get(read)!.push(chunk);
  /** Documents that read it before they run. */
  const documentsOf = (file: string) =>
    sharers.get(file)!.flatMap((by) => (by.isEntry && isOpened(by) ? [by.name] : []));
  const isShared = (file: string) => sharers.get(file)!.length > 1 && !chunks.get(file)!.isEntry;
  /** Documents besides the console that read it, at once or later. */
  const othersOf = (file: string) => [...audiences.get(file)!].filter((each) => each !== "index").toSorted();
  const isAlone = (file: string) => sharers.get(file)!.length < MOST && chunks.get(file)!.code.length >= LARGE_BYTES;
  const isOfFrame = (file: string) => sharers.get(file)!.some(({ name }) => FRAME.has(name));
  /** Large files that are read with it, and not by everybody. */
  const brings = (file: string) =>
    [...readWith(file, chunks)].filter(
      (each) => isShared(each) && isAlone(each) && !isOfFrame(each) && !documentsOf(each).includes("index"),
    );
  const bringsGuestsNothing = (file: string) =>
    [...readWith(file, chunks)].every((each) => each === file || documentsOf(each).includes("guest"));

  const nameOf = (file: string): string => {
    const documents = documentsOf(file);
    // Guests come with phones over a slow line: nothing is in their file that they do not use.
    if (documents.includes("guest")) return "core";
    if (documents.includes("index")) return documents.join("-");
    const { name, code } = chunks.get(file)!;
    const by = sharers.get(file)!.length;
    const others = othersOf(file);
    // They read it later, and nothing else for it: so little is not worth a request.
    if (others.includes("guest") && code.length < TINY_BYTES && bringsGuestsNothing(file)) return "core";
    const ofFrame = ["frame", ...others].join("-");
    if (isOfFrame(file) && (others.length === 0 || !isAlone(file))) return ofFrame;
    if (isAlone(file) || (by < SEVERAL && code.length >= TINY_BYTES)) return `${name}-shared`;
    // The frame stands around each of them. What is large is not brought to a document that reads the frame's file alone.
    if (by >= MOST) return others.length > 0 && code.length >= LARGE_BYTES ? ["most", ...others].join("-") : ofFrame;
    return ["several", ...others, ...brings(file).map((each) => chunks.get(each)!.name)].join("-");
  };
  return new Map(
    [...chunks].flatMap(([file, { moduleIds }]) =>
      isShared(file) ? moduleIds.map((id) => [id, nameOf(file)] as const) : [],
    ),
  );
}

/** Refuses a build in which a document reads, now or later, the file that starts another one: it would run that one as well. */
export function keepDocumentsApart(): Plugin {
  return {
    name: "followspot:keep-documents-apart",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = chunksIn(Object.values(bundle));
      for (const [file, documents] of audiencesOf(chunks)) {
        const { isEntry, name } = chunks.get(file)!;
        const others = [...documents].filter((each) => each !== name);
        if (isEntry && others.length > 0)
          this.error(`${file} starts ${name} and would be read by ${others.join(", ")}`);
      }
    },
  };
}

/** By the name of each file the documents that read it, at once or later. */
function audiencesOf(chunks: Chunks): ReadonlyMap<string, ReadonlySet<string>> {
  const audiences = new Map<string, Set<string>>([...chunks.keys()].map((file) => [file, new Set()]));
  for (const [document, chunk] of chunks)
    if (chunk.isEntry && isOpened(chunk))
      for (const file of readWith(document, chunks, "later too")) audiences.get(file)!.add(chunk.name);
  return audiences;
}

/** What draws films is opened by the server: who shares files with it is of no weight. */
const isOpened = ({ name }: Rolldown.OutputChunk) => name !== "stage-film";

/** What the bundler makes by itself, by the names of the files. */
async function chunksOf(config: UserConfig): Promise<Chunks> {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: "error",
    build: { ...config.build, write: false, minify: true },
  });
  return chunksIn((built as Rolldown.RolldownOutput).output); // one output is configured, and nothing is watched
}

const chunksIn = (files: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): Chunks =>
  new Map(files.flatMap((file) => (file.type === "chunk" ? [[file.fileName, file] as const] : [])));

/** The files that a browser reads before it runs one, itself included; or all that it may read in the end. */
function readWith(file: string, chunks: Chunks, until?: "later too"): ReadonlySet<string> {
  const read = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (read.has(next)) continue;
    read.add(next);
    const { imports = [], dynamicImports = [] } = chunks.get(next) ?? {};
    open.push(...imports, ...(until ? dynamicImports : []));
  }
  return read;
}
