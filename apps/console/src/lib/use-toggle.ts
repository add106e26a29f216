import { useMutation, type UseMutationOptions, type UseMutationResult } from "@tanstack/react-query";

/**
 * Toggles a switch that the server stores. Presses are sent one after another. Each is decided in turn, from the state
 * that the answer to the previous press has put into the cache. Two quick presses therefore switch on and off, never on
 * twice.
 *
 * @param name of the switch; presses with the same name are queued across components
 * @param flip reads the state from the cache and calls the server
 */
export const useToggle = <Answer>(
  name: string,
  flip: () => Promise<Answer>,
  options: Pick<UseMutationOptions<Answer, Error, void>, "onError" | "onSettled">,
): UseMutationResult<Answer, Error, void> => useMutation({ ...options, scope: { id: name }, mutationFn: flip });
