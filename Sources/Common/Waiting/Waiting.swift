// SPDX-License-Identifier: Apache-2.0

// How a task waits: for a value that comes later, or for a time to pass on a clock that tests may hold. Every wait ends
// when its task is cancelled. What is waited for does not matter here: it imports nothing of the house.
