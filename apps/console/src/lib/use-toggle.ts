import { useMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";

/**
 * A switch that the server stores. Presses are sent one after another, and each is decided when its turn comes: by what the
 * answer to the press before has put into the cache. Two quick presses switch on and off, never on twice.
 *
 * @param name of the switch; presses of the same name wait for each other, whichever component they come from
 * @param flip reads the state from the cache and calls the server
 */
export const useToggle = <Answer>(
  name: string,
  flip: () => Promise<Answer>,
  options: Pick<UseMutationOptions<Answer, Error, void>, "onError" | "onSettled">,
): UseMutationResult<Answer, Error, void> => useMutation({ ...options, scope: { id: name }, mutationFn: flip });
