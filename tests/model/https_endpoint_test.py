#!/usr/bin/env python3
"""`prejoin prove --endpoint https://…`: certificates are verified, requests are signed, and binary values come back whole.

PREJOIN_BINARY names the program. A TLS server with an authority of our own stands before `prejoin serve`; it recomputes every
signature with nothing but hmac.
"""

import hashlib
import hmac
import http.client
import http.server
import os
import pathlib
import ssl
import subprocess
import tempfile
import threading
import unittest

BINARY = os.environ.get("PREJOIN_BINARY", "build/release/prejoin")
SOURCE = pathlib.Path(__file__).parents[2]
MODEL = str(SOURCE / "examples/models/d04_students_and_courses.prejoin")
SECRET = "a made-up secret"
BINARY_MODEL = """model "Files"

entity File {
  id      text(~8) key
  content binary(~40)
  count   10
}

pattern One "A file" {
  find File where id = :file
  rate 1/s
}

table Files partition PK {
  item File {
    PK = "FILE#{id}"
  }
}
"""


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def make_certificates(folder):
    """ca.pem, and server.pem with its key, for the name localhost only."""
    (folder / "names").write_text("subjectAltName=DNS:localhost\n")
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl(folder, "req", "-x509", *new_key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Test authority")
    openssl(folder, "req", *new_key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    openssl(folder, "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-extfile", "names", "-out", "server.pem")  # fmt: skip


def signature_of(headers, body):
    """What the Authorization header should be, from the headers it names."""
    fields = dict(part.split("=", 1) for part in headers["Authorization"].split(" ", 1)[1].split(", "))
    access_key, date, region, service, end = fields["Credential"].split("/")
    names = fields["SignedHeaders"].split(";")
    canonical = "POST\n/\n\n" + "".join(f"{name}:{headers[name].strip()}\n" for name in names)
    canonical += "\n" + ";".join(names) + "\n" + hashlib.sha256(body).hexdigest()
    scope = f"{date}/{region}/{service}/{end}"
    text = f"AWS4-HMAC-SHA256\n{headers['X-Amz-Date']}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
    key = ("AWS4" + SECRET).encode()
    for part in (date, region, service, end):
        key = hmac.digest(key, part.encode(), "sha256")
    return fields, access_key, region, hmac.new(key, text.encode(), "sha256").hexdigest()


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.seen.append((self.headers, body))
        backend = http.client.HTTPConnection("127.0.0.1", self.server.backend_port, timeout=20)
        names = ("Content-Type", "X-Amz-Target", "X-Amz-Date", "Authorization")
        backend.request("POST", "/", body, {name: self.headers[name] for name in names})
        answer = backend.getresponse()
        content = answer.read()
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        backend.close()

    def log_message(self, *_):
        pass


class Quiet(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # Handshakes that the client refuses are what is tested.


class HttpsEndpoint(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        make_certificates(folder)
        (folder / "files.prejoin").write_text(BINARY_MODEL)
        cls.serve = subprocess.Popen([BINARY, "serve", "--memory", "--port", "0"], stdout=subprocess.PIPE,
                                     stderr=subprocess.DEVNULL, text=True)  # fmt: skip
        port = int(cls.serve.stdout.readline().rsplit(":", 1)[1])
        cls.proxy = Quiet(("127.0.0.1", 0), Proxy)
        cls.proxy.backend_port = port
        cls.proxy.seen = []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "server.pem", folder / "server.key")
        cls.proxy.socket = context.wrap_socket(cls.proxy.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=cls.proxy.serve_forever, daemon=True).start()
        cls.plain_port = port
        cls.port = cls.proxy.server_address[1]

    @classmethod
    def tearDownClass(cls):
        cls.proxy.shutdown()
        cls.proxy.server_close()
        cls.serve.kill()
        cls.serve.communicate()
        cls.folder.cleanup()

    def prejoin(self, *arguments, **environment):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "SSL_CERT"))}
        return subprocess.run([BINARY, *arguments], env={**clean, **environment}, capture_output=True, text=True, timeout=60)

    def file(self, name):
        return os.path.join(self.folder.name, name)

    def test_proves_over_tls_with_right_signatures(self):
        del self.proxy.seen[:]
        result = self.prejoin("prove", MODEL, "--endpoint", f"https://localhost:{self.port}", SSL_CERT_FILE=self.file("ca.pem"),
                              AWS_ACCESS_KEY_ID="AKIDTEST", AWS_SECRET_ACCESS_KEY=SECRET, AWS_SESSION_TOKEN="token",
                              AWS_REGION="eu-central-1")  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        self.assertGreater(len(self.proxy.seen), 5)
        for headers, body in self.proxy.seen:
            fields, access_key, region, signature = signature_of(headers, body)
            self.assertEqual((access_key, region), ("AKIDTEST", "eu-central-1"))
            self.assertEqual(fields["SignedHeaders"], "content-type;host;x-amz-date;x-amz-security-token;x-amz-target")
            self.assertEqual(fields["Signature"], signature)

    def test_the_option_goes_before_the_environment(self):
        del self.proxy.seen[:]
        result = self.prejoin("apply", MODEL, "--replace", "--region", "us-west-2", "--endpoint", f"https://localhost:{self.port}",
                              AWS_CA_BUNDLE=self.file("ca.pem"), AWS_REGION="eu-central-1")  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("/us-west-2/dynamodb/", self.proxy.seen[0][0]["Authorization"])

    def test_refuses_an_unknown_authority(self):
        result = self.prejoin("prove", MODEL, "--endpoint", f"https://localhost:{self.port}")
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, "certificate is not accepted: .*(self.signed|unable to get local issuer)")

    def test_refuses_a_certificate_for_another_name(self):
        result = self.prejoin("prove", MODEL, "--endpoint", f"https://127.0.0.1:{self.port}", SSL_CERT_FILE=self.file("ca.pem"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("IP address mismatch", result.stderr)

    def test_says_when_the_other_side_speaks_no_tls(self):
        result = self.prejoin("prove", MODEL, "--endpoint", f"https://localhost:{self.plain_port}")
        self.assertEqual(result.returncode, 2)
        self.assertIn("TLS with localhost", result.stderr)

    def test_needs_whole_credentials(self):
        result = self.prejoin("apply", MODEL, "--endpoint", "https://dynamodb.eu-central-1.amazonaws.com")
        self.assertEqual(result.returncode, 2)
        self.assertIn("AWS needs credentials", result.stderr)
        result = self.prejoin("apply", MODEL, "--endpoint", f"https://localhost:{self.port}", AWS_ACCESS_KEY_ID="AKIDTEST")
        self.assertEqual(result.returncode, 2)
        self.assertIn("AWS_SECRET_ACCESS_KEY is not", result.stderr)

    def test_binary_values_come_back(self):
        result = self.prejoin("prove", self.file("files.prejoin"), "--scale", "20", "--endpoint", f"http://127.0.0.1:{self.plain_port}")
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)


if __name__ == "__main__":
    unittest.main()
