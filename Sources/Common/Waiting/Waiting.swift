// SPDX-License-Identifier: Apache-2.0

// Waiting in tasks: for a value that comes later, or for a time on a clock that tests may hold. Every wait ends when
// its task is cancelled. The module imports no other.
