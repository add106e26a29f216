import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { callUnaryMethod, createConnectQueryKey } from "@connectrpc/connect-query";
import type { Transport } from "@connectrpc/connect";
import type { FilterCount, ListQuerySchema } from "@followspot/contract/list";

/** One page of a list as cached, in the same form for every method. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
}

/** Calls a method of the contract over the page's own connection, with the signal of the query. */
export type Call = <Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  input: MessageInitShape<Input>,
) => Promise<MessageShape<Output>>;

/** A list of the contract: how to request a page, count the rows and read one row. */
export interface ListSource<Row> {
  /** Names the list in stored settings and in its CSV file. */
  readonly name: string;
  readonly method: DescMethodUnary;
  readonly page: (call: Call, list: MessageInitShape<typeof ListQuerySchema>) => Promise<ListPage<Row>>;
  readonly id: (row: Row) => string;
  /** Restriction of the list beside its query, such as the event of talks. */
  readonly scope?: string;
  /** Counts rows per filter among those that `query` finds. A separate request; the list works without it. */
  readonly count?: {
    readonly method: DescMethodUnary;
    readonly counts: (call: Call, query: string) => Promise<readonly FilterCount[]>;
  };
  /** Reads one row, for a dialog whose row is not on a loaded page. */
  readonly one?: (call: Call, id: string) => Promise<Row | undefined>;
  /** Rows per page; 50 by default. */
  readonly pageSize?: number;
}

/** A list whose rows can be read individually, as edit dialogs require. */
export type ReadableSource<Row> = ListSource<Row> & Required<Pick<ListSource<Row>, "one">>;

/** Fields that the list methods of the contract share; their message types differ. */
interface ListAnswer {
  readonly nextPageToken: string;
}
interface CountAnswer {
  readonly counts: readonly FilterCount[];
}

/**
 * Creates the part of a source that requests a page.
 * @param rowsOf extracts the rows of an answer
 * @param scope request fields besides `list`
 */
export function pagesOf<Input extends DescMessage, Output extends DescMessage, Row>(
  method: DescMethodUnary<Input, Output>,
  rowsOf: (answer: MessageShape<Output>) => readonly Row[],
  scope?: MessageInitShape<Input>,
): Pick<ListSource<Row>, "method" | "page"> {
  return {
    method,
    page: async (call, list) => {
      const request: object = { ...scope, list };
      const answer = await call(method, request as MessageInitShape<Input>);
      return { rows: rowsOf(answer), nextPageToken: (answer as object as ListAnswer).nextPageToken };
    },
  };
}

/** Creates the part of a source that counts its rows. @param scope request fields besides `query` */
export function countsOf<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  scope?: MessageInitShape<Input>,
): NonNullable<ListSource<never>["count"]> {
  return {
    method,
    counts: async (call, query) => {
      const request: object = { ...scope, query };
      return ((await call(method, request as MessageInitShape<Input>)) as object as CountAnswer).counts;
    },
  };
}

/** Filter and order of a list: the fields of a ListQuery that all its pages share. */
export interface ListQuestion {
  readonly query: string;
  readonly filter: string;
  readonly orderBy: string;
}

const PAGE_ROWS = 50;
/** Rows per request when every row is wanted; the contract's maximum. */
const WHOLE_PAGE_ROWS = 200;

export const caller =
  (transport: Transport, signal?: AbortSignal): Call =>
  (method, input) =>
    callUnaryMethod(transport, method, input, signal && { signal });

/** Returns the cache key of a method's answers, without input: a change invalidates all of them. */
export const methodKey = (method: DescMethodUnary) => createConnectQueryKey({ schema: method, cardinality: undefined });

export const pagesKey = ({ method, scope }: Pick<ListSource<never>, "method" | "scope">, question: ListQuestion) =>
  [...createConnectQueryKey({ schema: method, cardinality: "infinite" }), scope ?? "", question] as const;

export function readPage<Row>(
  source: ListSource<Row>,
  call: Call,
  question: ListQuestion,
  pageToken: string,
  pageSize = source.pageSize ?? PAGE_ROWS,
): Promise<ListPage<Row>> {
  return source.page(call, { ...question, pageToken, pageSize });
}

/** Yields every row that a query finds, page by page. */
export async function* everyPage<Row>(
  source: ListSource<Row>,
  call: Call,
  question: ListQuestion,
): AsyncGenerator<readonly Row[]> {
  let token = "";
  do {
    const page = await readPage(source, call, question, token, WHOLE_PAGE_ROWS);
    yield page.rows;
    token = page.nextPageToken;
  } while (token !== "");
}
