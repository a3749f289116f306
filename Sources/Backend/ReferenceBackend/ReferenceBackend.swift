// SPDX-License-Identifier: Apache-2.0

// A complete backend: the web site of a relying party, the routes of all dialects, mails, D-TAs elsewhere, and
// `Backend`, which puts them together with protocol and rules (MPinServer), databases (BackendDatabases), a web server
// (BackendHTTP) and the operator's page (OperatorPage). Page and device of a login meet in its `LoginSession`.
