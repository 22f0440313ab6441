// Strict decoding: what a client that trusts the description would stumble over.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Every enumeration that oapi-codegen makes can tell whether a value is one of its own.
type enumeration interface{ Valid() bool }

// A type that reads its text by itself, such as a time, an ID or one of several shapes.
var decodesItself = reflect.TypeFor[json.Unmarshaler]()
var decodesText = reflect.TypeFor[interface{ UnmarshalText([]byte) error }]()

// strict finds the first fault of an answer: a member that the description does not name, a required one that is missing, an unknown
// value of an enumeration.
func strict[T any](body []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(new(T)); err != nil {
		return err
	}
	return examine("", reflect.TypeFor[T](), body)
}

func examine(place string, form reflect.Type, text json.RawMessage) error {
	for form.Kind() == reflect.Pointer {
		form = form.Elem()
	}
	if isNull := string(bytes.TrimSpace(text)) == "null"; isNull {
		return nil
	}
	if reflect.PointerTo(form).Implements(decodesItself) || reflect.PointerTo(form).Implements(decodesText) {
		return nil
	}
	switch form.Kind() {
	case reflect.Struct:
		return examineMembers(place, form, text)
	case reflect.Slice:
		var items []json.RawMessage
		if err := json.Unmarshal(text, &items); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		for at, item := range items {
			if err := examine(fmt.Sprintf("%s[%d]", place, at), form.Elem(), item); err != nil {
				return err
			}
		}
	case reflect.String:
		value := reflect.New(form)
		if err := json.Unmarshal(text, value.Interface()); err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		if one, is := value.Elem().Interface().(enumeration); is && !one.Valid() {
			return fmt.Errorf("%s: %s is not a value of %s", place, text, form.Name())
		}
	}
	return nil
}

func examineMembers(place string, form reflect.Type, text json.RawMessage) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return fmt.Errorf("%s: %w", place, err)
	}
	for at := range form.NumField() {
		name, options, _ := strings.Cut(form.Field(at).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		member, is := members[name]
		if !is && !strings.Contains(options, "omitempty") {
			return fmt.Errorf("%s: the required member %q is missing", place, name)
		}
		if !is {
			continue
		}
		if err := examine(place+"."+name, form.Field(at).Type, member); err != nil {
			return err
		}
	}
	return nil
}
