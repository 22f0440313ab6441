"""The store contract stays small, and forwarding classes forward all of it."""

import re
import unittest

import codebase

FUNCTIONS_MAX = 20


def read(path: str) -> str:
    return codebase.text_of(codebase.ROOT / path)


def virtual_functions(text: str, class_name: str) -> set[str]:
    """Returns the names of the functions of the class that are virtual or override one, without its destructor."""
    begin = text.index(f"class {class_name}")
    body = text[begin : text.index("\n};", begin)]
    introduced = re.findall(r"\bvirtual [^;{(]*?(\w+)\(", body)
    overridden = re.findall(r"\b(\w+)\([^()]*\)(?: const)? override", body)
    return {*introduced, *overridden} - {class_name}


class StoreContract(unittest.TestCase):
    def test_a_transaction_has_few_functions(self) -> None:
        functions = virtual_functions(read("core/store/store.h"), "Transaction")
        self.assertIn("record", functions)
        self.assertLessEqual(len(functions), FUNCTIONS_MAX, sorted(functions))

    def test_a_forwarding_transaction_forwards_each_of_them(self) -> None:
        functions = virtual_functions(read("core/store/store.h"), "Transaction")
        self.assertEqual(
            virtual_functions(read("core/store/forwarding_transaction.h"), "ForwardingTransaction"), functions
        )

    def test_a_function_that_is_missing_is_found(self) -> None:
        text = (
            "class Transaction {\n  virtual Result<int> record(int id) = 0;\n  virtual void links() {}\n  int "
            "plain();\n};"
        )
        self.assertEqual(virtual_functions(text, "Transaction"), {"record", "links"})
        self.assertEqual(
            virtual_functions("class F : public T {\n  Result<int> record(int id) override { return 1; }\n};", "F"),
            {"record"},
        )


if __name__ == "__main__":
    unittest.main()
