#!/usr/bin/env python3
"""`prejoin serve` over TLS and over IPv6, and which pages it answers.

PREJOIN_BINARY names the program."""

import http.client
import json
import os
import pathlib
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from serve_test import BINARY, TABLE, Served, ask, read_answer, request  # noqa: E402


def client_context(**settings):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    for name, value in settings.items():
        setattr(context, name, value)
    return context


def make_certificate(folder, name):
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", f"/CN={name}",
         "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )
    return str(certificate), str(key)


def presented(served):
    with client_context().wrap_socket(served.connect()) as connection:
        return connection.getpeercert(binary_form=True)


class TlsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Where `serve --memory` keeps its certificate: not in the home of whoever runs the tests.
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        os.environ["XDG_STATE_HOME"] = folder.name

    def test_serves_the_api_with_a_certificate_of_its_own(self):
        with Served("--memory", "--tls-self-signed") as served:
            self.assertRegex(served.line, r"^prejoin listening on https://127\.0\.0\.1:\d+\n$")
            context = client_context()
            context.set_alpn_protocols(["h2", "http/1.1"])
            with context.wrap_socket(served.connect()) as connection:
                self.assertEqual(connection.selected_alpn_protocol(), "http/1.1")
                self.assertIn(connection.version(), ("TLSv1.2", "TLSv1.3"))
                self.assertEqual(ask(connection, "CreateTable", TABLE)[0], 200)
                # Both directions in many records, and several requests at once.
                big = {"TableName": "Things", "Item": {"pk": {"S": "a"}, "text": {"S": "x" * 390_000}}}
                self.assertEqual(ask(connection, "PutItem", big)[0], 200)
                get = request("GetItem", {"TableName": "Things", "Key": {"pk": {"S": "a"}}})
                connection.sendall(get * 20)
                reader = connection.makefile("rb")
                for _ in range(20):
                    length = 0
                    while (line := reader.readline()) != b"\r\n":
                        if line.lower().startswith(b"content-length:"):
                            length = int(line.split()[1])
                    self.assertEqual(len(json.loads(reader.read(length))["Item"]["text"]["S"]), 390_000)
            self.assertEqual(served.stop()[0], 0)

    def test_a_slow_reader_gets_all_of_a_large_answer(self):
        with Served("--memory", "--tls-self-signed") as served:
            with client_context().wrap_socket(served.connect()) as connection:
                ask(connection, "CreateTable", TABLE)
                for number in range(40):
                    ask(connection, "PutItem", {"TableName": "Things", "Item": {"pk": {"S": str(number)}, "t": {"S": "y" * 390_000}}})
                keys = [{"pk": {"S": str(number)}} for number in range(40)]
                connection.sendall(request("BatchGetItem", {"RequestItems": {"Things": {"Keys": keys}}}))
                time.sleep(0.5)
                status, body = read_answer(connection)
                self.assertEqual(status, 200)
                self.assertGreater(len(body), 15_000_000)
                self.assertEqual(len(json.loads(body)["Responses"]["Things"]), 40)

    def test_refuses_old_versions_and_other_protocols(self):
        with Served("--memory", "--tls-self-signed") as served:
            old = client_context(minimum_version=ssl.TLSVersion.TLSv1, maximum_version=ssl.TLSVersion.TLSv1_1)
            old.set_ciphers("ALL:@SECLEVEL=0")
            with self.assertRaises((ssl.SSLError, ConnectionError)):
                old.wrap_socket(served.connect())
            http2 = client_context()
            http2.set_alpn_protocols(["h2"])
            with self.assertRaises((ssl.SSLError, ConnectionError)):
                http2.wrap_socket(served.connect())
            with served.connect() as plain:
                plain.sendall(request("ListTables", {}))
                try:
                    self.assertNotIn(b"HTTP/1.1", plain.recv(1000))
                except ConnectionResetError:
                    pass
            with client_context().wrap_socket(served.connect()) as connection:
                self.assertEqual(ask(connection, "ListTables", {})[0], 200)

    def test_reads_the_certificate_again_on_sighup(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            certificate, key = make_certificate(folder, "first")
            with Served("--memory", "--tls-cert", certificate, "--tls-key", key) as served:
                first = presented(served)
                open_connection = client_context().wrap_socket(served.connect())
                make_certificate(folder, "second")
                served.process.send_signal(signal.SIGHUP)
                deadline = time.monotonic() + 20
                while presented(served) == first:
                    self.assertLess(time.monotonic(), deadline)
                second = presented(served)
                pathlib.Path(key).write_text("broken")
                served.process.send_signal(signal.SIGHUP)
                while "keeping the current certificate" not in served.process.stderr.readline():
                    pass
                self.assertEqual(presented(served), second)
                self.assertEqual(ask(open_connection, "ListTables", {})[0], 200)
                open_connection.close()
                self.assertEqual(served.stop()[0], 0)

    def test_says_what_is_wrong_with_the_files(self):
        for arguments, text in [
            (["--tls-cert", "/nowhere/cert.pem", "--tls-key", "/nowhere/key.pem"], "cannot use the certificate /nowhere/cert.pem"),
            (["--tls-cert", "/nowhere/cert.pem"], "--tls-key"),
            (["--tls-cert", "x", "--tls-key", "y", "--tls-self-signed"], "--tls-"),
        ]:
            done = subprocess.run([BINARY, "serve", "--memory", "--port", "0", *arguments], capture_output=True, text=True, timeout=30)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(text, done.stderr)


class OwnAuthorityTest(unittest.TestCase):
    """--tls-self-signed: an authority that clients trust once, and a certificate that is none."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def asks(self, served, authority, name="localhost"):
        context = ssl.create_default_context(cafile=str(authority))
        with context.wrap_socket(served.connect(), server_hostname=name) as connection:
            self.assertEqual(ask(connection, "ListTables", {})[0], 200)
            return connection.getpeercert()

    def described(self, certificate):
        return subprocess.run(["openssl", "x509", "-in", certificate, "-noout", "-text"], check=True, capture_output=True, text=True).stdout

    def test_clients_trust_the_authority_and_the_certificate_is_none(self):
        with Served("--memory", "--tls-self-signed", "--tls-dir", str(self.folder / "tls"), "--allow-host", "db.example") as served:
            printed = served.process.stdout.readline()
            authority = self.folder / "tls/ca.pem"
            self.assertEqual(printed, f"clients trust {authority}\n")
            for name in ("localhost", "127.0.0.1", "::1", "db.example"):
                self.asks(served, authority, name)
            with self.assertRaises(ssl.SSLError):
                self.asks(served, authority, "evil.example")
        text = self.described(self.folder / "tls/cert.pem")
        self.assertIn("CA:FALSE", text)
        self.assertIn("TLS Web Server Authentication", text)
        self.assertIn("Digital Signature", text)
        self.assertIn("CA:TRUE, pathlen:0", self.described(authority))
        for key in ("key.pem", "ca-key.pem"):
            self.assertEqual((self.folder / "tls" / key).stat().st_mode & 0o777, 0o600, key)
        # As a strict client sees it: the chain is good for a server.
        subprocess.run(["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", authority, self.folder / "tls/cert.pem"],
                       check=True, capture_output=True)

    def test_it_is_kept_over_restarts_and_made_anew_for_another_host(self):
        data = str(self.folder / "data")
        with Served("--data", data, "--tls-self-signed") as served:
            first = presented(served)
            served.stop()
        authority = self.folder / "data.tls/ca.pem"
        kept = authority.read_bytes()
        with Served("--data", data, "--tls-self-signed") as served:
            self.assertEqual(presented(served), first)
            served.stop()
        with Served("--data", data, "--tls-self-signed", "--allow-host", "other.example") as served:
            self.assertNotEqual(presented(served), first)
            self.asks(served, authority, "other.example")
            served.stop()
        self.assertEqual(authority.read_bytes(), kept)

    def test_what_expired_or_is_damaged_is_made_anew(self):
        tls = self.folder / "tls"
        arguments = ["--memory", "--tls-self-signed", "--tls-dir", str(tls)]
        with Served(*arguments) as served:
            served.stop()
        kept = (tls / "ca.pem").read_bytes()
        # A certificate of the same authority that ends tomorrow.
        (self.folder / "ext").write_text("basicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1\n")
        subprocess.run(["openssl", "req", "-new", "-key", tls / "key.pem", "-subj", "/CN=localhost", "-out", self.folder / "csr"], check=True)
        subprocess.run(["openssl", "x509", "-req", "-in", self.folder / "csr", "-CA", tls / "ca.pem", "-CAkey", tls / "ca-key.pem", "-days", "1",
                        "-extfile", self.folder / "ext", "-out", tls / "cert.pem"], check=True, capture_output=True)
        ending = (tls / "cert.pem").read_bytes()
        with Served(*arguments) as served:
            self.asks(served, tls / "ca.pem")
            served.stop()
        self.assertNotEqual((tls / "cert.pem").read_bytes(), ending)
        self.assertEqual((tls / "ca.pem").read_bytes(), kept)
        for damaged in ("cert.pem", "key.pem", "ca.pem", "ca-key.pem"):
            (tls / damaged).write_text("damaged")
            with Served(*arguments) as served:
                self.asks(served, tls / "ca.pem")
                served.stop()

    def test_it_is_renewed_while_the_server_runs(self):
        tls = self.folder / "tls"
        with Served("--memory", "--tls-self-signed", "--tls-dir", str(tls)) as served:
            first = presented(served)
            (tls / "cert.pem").unlink()
            served.process.send_signal(signal.SIGHUP)
            deadline = time.monotonic() + 20
            while presented(served) == first:
                self.assertLess(time.monotonic(), deadline)
            self.asks(served, tls / "ca.pem")

    def test_a_folder_that_cannot_be_used_is_named(self):
        (self.folder / "file").write_text("")
        done = subprocess.run([BINARY, "serve", "--memory", "--port", "0", "--tls-self-signed", "--tls-dir", str(self.folder / "file/tls")],
                              capture_output=True, text=True, timeout=30)
        self.assertEqual(done.returncode, 2)
        self.assertIn("file/tls", done.stderr)


class AddressTest(unittest.TestCase):
    def test_listens_on_both_loopback_addresses(self):
        try:
            socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        except OSError:
            self.skipTest("this machine has no IPv6")
        with Served("--memory") as served:
            for host in ("127.0.0.1", "::1"):
                with socket.create_connection((host, served.port), timeout=20) as connection:
                    self.assertEqual(ask(connection, "ListTables", {})[0], 200, host)

    def test_says_what_an_open_address_means(self):
        with Served("--memory", "--host", "0.0.0.0", "--auth", "off") as served:
            lines = [served.process.stdout.readline() for _ in range(2)]
            self.assertTrue(any("open to the network" in line for line in lines), lines)

    def test_answers_only_allowed_pages_and_names(self):
        with Served("--memory", "--allow-origin", "https://app.example", "--allow-host", "db.example") as served:
            def status(path="/metrics", **headers):
                connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
                connection.request("GET", path, headers=headers)
                try:
                    return connection.getresponse().status
                finally:
                    connection.close()

            self.assertEqual(status(), 200)
            self.assertEqual(status(Origin="http://localhost:5173"), 200)
            self.assertEqual(status(Origin="https://app.example"), 200)
            self.assertEqual(status(Host="db.example"), 200)
            for path in ("/metrics", "/insights", "/healthz", "/", "/studio/", "/model/examples"):
                self.assertEqual(status(path, Origin="https://evil.example"), 403, path)
                self.assertEqual(status(path, Host="evil.example"), 403, path)


if __name__ == "__main__":
    unittest.main()
