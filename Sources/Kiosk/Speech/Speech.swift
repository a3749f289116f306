// SPDX-License-Identifier: Apache-2.0

/// The screen for people who listen: views as spoken text, and the program that speaks it.
