import { fileDesc } from "@bufbuild/protobuf/codegenv2";

/**
 * Replaces buf/validate/validate.proto, which the contract's files import for their rules. The server checks the rules;
 * the full file would be a fifth of the shell's first load.
 */
export const file_buf_validate_validate = /*@__PURE__*/ fileDesc(
  "ChtidWYvdmFsaWRhdGUvdmFsaWRhdGUucHJvdG8SDGJ1Zi52YWxpZGF0ZQ",
);
