"""Logins with keys: the example of RFC 7677, and daemons that do not know the key."""

import unittest

from troupe import keys
from troupe.errors import ProtocolError

SECRET = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v"
SERVER_FIRST = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"


class Logins(unittest.TestCase):
    def login(self):
        login = keys.Login(f"user.{SECRET}", nonce="rOprNGfwEbeRWgbNEkqO")
        login._password = b"pencil"  # the RFC's
        return login

    def test_the_example_of_the_rfc(self):
        login = self.login()
        self.assertEqual(login.first(["SCRAM-SHA-256"]), "n,,n=user,r=rOprNGfwEbeRWgbNEkqO")
        self.assertEqual(
            login.final(SERVER_FIRST),
            "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
        )
        login.check("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=")

    def test_a_daemon_that_does_not_know_the_key(self):
        for final in "", "v=", "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G5=", "e=other-error":
            login = self.login()
            login.final(SERVER_FIRST)
            with self.assertRaises(ProtocolError):
                login.check(final)
        with self.assertRaises(ProtocolError):
            self.login().check("v=")  # welcome without a login

    def test_malformed_server_firsts_are_refused(self):
        for text in ("", SERVER_FIRST.replace("rOp", "rOx"), SERVER_FIRST.replace("4096", "4095"),
                     SERVER_FIRST.replace("4096", "1000001"), SERVER_FIRST.replace("W22Z", "W=2Z"),
                     SERVER_FIRST.replace("%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0", "")):
            with self.assertRaises(ProtocolError):
                self.login().final(text)

    def test_an_older_daemon(self):
        with self.assertRaisesRegex(ProtocolError, "older"):
            self.login().first([])

    def test_malformed_keys_are_refused(self):
        for text in "", "demo", f"Demo.{SECRET}", f"demo.{SECRET[1:]}", f"demo.{SECRET}=":
            with self.assertRaises(ValueError):
                keys.Login(text)


if __name__ == "__main__":
    unittest.main()
