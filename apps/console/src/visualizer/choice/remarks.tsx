import { Check, TriangleAlert } from "lucide-react";
import type { ShowRemark } from "@followspot/contract";
import { choiceStrings as text } from "./choice.strings.ts";
import { LINK } from "../look.ts";

const SHOWN = 6;

/** Remarks of the show rating: the first six, and the others behind "More". */
export function Remarks({ remarks }: { readonly remarks: readonly ShowRemark[] }) {
  const rest = remarks.slice(SHOWN);
  return (
    <>
      <RemarkList remarks={remarks.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary className={`${LINK} text-xs`}>{text.more(rest.length)}</summary>
          <div className="pt-1">
            <RemarkList remarks={rest} />
          </div>
        </details>
      )}
    </>
  );
}

function RemarkList({ remarks }: { readonly remarks: readonly ShowRemark[] }) {
  return (
    <ul className="flex flex-col gap-0.5 text-xs">
      {remarks.map((remark, i) => (
        <li key={i} className="flex items-start gap-1.5">
          {remark.isGood ? (
            <Check size={13} aria-hidden="true" className="mt-0.5 shrink-0 text-ok" />
          ) : (
            <TriangleAlert size={13} aria-hidden="true" className="mt-0.5 shrink-0 text-warn" />
          )}
          <span>
            <span className="sr-only">{remark.isGood ? text.good : text.notGood} </span>
            {remark.text}
          </span>
        </li>
      ))}
    </ul>
  );
}
