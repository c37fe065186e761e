// Package stream reads a stream of Kubernetes objects: it cuts the text into
// documents, parses them, and tells where in the file each field stands.
//
// It decides on the caller's behalf what counts as one document, and what no
// reader of YAML agrees on with another. What the objects mean is others' affair.
package stream

import (
	"iter"

	"github.com/valkey-expose/valkey-expose/schema"
)

// Reader reads the documents of a file. Of these it keeps the last, as a tree
// takes many times the space of the text: places are asked for one document
// after the other, and only of one with a problem.
type Reader struct {
	file   string
	source []byte
	object Object
}

// NewReader reads a file of this name, which positions have.
func NewReader(file string) *Reader { return &Reader{file: file} }

// Documents cuts a stream into documents. The chunks, joined, are the stream less
// its byte order marks. One with a problem cannot be parsed.
func (r *Reader) Documents(stream []byte) iter.Seq2[Chunk, *schema.Problem] {
	return func(yield func(Chunk, *schema.Problem) bool) {
		for c := range split(stream) {
			bare, problem := c.unmarked(r.file)
			if problem == nil {
				problem = bare.behindMarker(r.file)
			}
			if problem != nil {
				if !yield(c, problem) {
					return
				}
				continue
			}
			for piece, problem := range bare.pieces(r.file) {
				if !yield(piece, problem) {
					return
				}
			}
		}
	}
}

// Parse reads the object of a chunk. It has no Root if the chunk holds none. The
// problem, if any, is a syntax error.
func (r *Reader) Parse(c Chunk) (Object, *schema.Problem) {
	if len(r.source) == len(c.Source) && &r.source[0] == &c.Source[0] {
		return r.object, nil
	}
	r.source, r.object = nil, Object{} // two at once are not needed
	o, problem := parse(r.file, c)
	if problem == nil {
		o.positions = func(object string) func(string) schema.Position {
			return func(path string) schema.Position {
				o, _ := r.Parse(c) // as it was parsed before
				return o.Locate(inObject(object, path))
			}
		}
		r.source, r.object = c.Source, o
	}
	return o, problem
}
