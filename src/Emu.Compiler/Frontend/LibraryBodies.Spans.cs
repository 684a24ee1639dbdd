using System.Numerics;

namespace Emu.Compiler.Frontend;

internal static partial class LibraryBodies
{
    /// <summary><see cref="MemoryExtensions"/>.</summary>
    private static class OfSpans
    {
        public static int IndexOf<T>(ReadOnlySpan<T> span, ReadOnlySpan<T> value)
            where T : struct, IEquatable<T>
        {
            for (var i = 0; i + value.Length <= span.Length; i++)
            {
                if (span.Slice(i, value.Length).SequenceEqual(value)) return i;
            }
            return -1;
        }

        public static int LastIndexOf<T>(ReadOnlySpan<T> span, ReadOnlySpan<T> value)
            where T : struct, IEquatable<T>
        {
            for (var i = span.Length - value.Length; i >= 0; i--)
            {
                if (span.Slice(i, value.Length).SequenceEqual(value)) return i;
            }
            return -1;
        }

        public static bool Contains<T>(ReadOnlySpan<T> span, ReadOnlySpan<T> value)
            where T : struct, IEquatable<T> => IndexOf(span, value) >= 0;

        public static int IndexOfAny<T>(ReadOnlySpan<T> span, T value0, T value1, T value2)
            where T : struct, IEquatable<T>
        {
            for (var i = 0; i < span.Length; i++)
            {
                if (span[i].Equals(value0) || span[i].Equals(value1) || span[i].Equals(value2)) return i;
            }
            return -1;
        }

        public static int IndexOfAny<T>(ReadOnlySpan<T> span, ReadOnlySpan<T> values)
            where T : struct, IEquatable<T>
        {
            for (var i = 0; i < span.Length; i++)
            {
                if (values.Contains(span[i])) return i;
            }
            return -1;
        }

        public static int IndexOfAnyExcept<T>(ReadOnlySpan<T> span, T value)
            where T : struct, IEquatable<T>
        {
            for (var i = 0; i < span.Length; i++)
            {
                if (!span[i].Equals(value)) return i;
            }
            return -1;
        }

        public static int IndexOfAnyExcept<T>(ReadOnlySpan<T> span, ReadOnlySpan<T> values)
            where T : struct, IEquatable<T>
        {
            for (var i = 0; i < span.Length; i++)
            {
                if (!values.Contains(span[i])) return i;
            }
            return -1;
        }

        public static int IndexOfAnyInRange<T>(ReadOnlySpan<T> span, T lowInclusive, T highInclusive)
            where T : struct, IBinaryInteger<T>
        {
            for (var i = 0; i < span.Length; i++)
            {
                if (IsInRange(span[i], lowInclusive, highInclusive)) return i;
            }
            return -1;
        }

        public static int IndexOfAnyExceptInRange<T>(ReadOnlySpan<T> span, T lowInclusive, T highInclusive)
            where T : struct, IBinaryInteger<T>
        {
            for (var i = 0; i < span.Length; i++)
            {
                if (!IsInRange(span[i], lowInclusive, highInclusive)) return i;
            }
            return -1;
        }

        public static bool ContainsAny<T>(ReadOnlySpan<T> span, T value0, T value1)
            where T : struct, IEquatable<T> => span.IndexOfAny(value0, value1) >= 0;

        public static bool ContainsAny<T>(ReadOnlySpan<T> span, T value0, T value1, T value2)
            where T : struct, IEquatable<T> => IndexOfAny(span, value0, value1, value2) >= 0;

        public static bool ContainsAny<T>(ReadOnlySpan<T> span, ReadOnlySpan<T> values)
            where T : struct, IEquatable<T> => IndexOfAny(span, values) >= 0;

        public static bool ContainsAnyExcept<T>(ReadOnlySpan<T> span, T value)
            where T : struct, IEquatable<T> => IndexOfAnyExcept(span, value) >= 0;

        public static bool ContainsAnyExcept<T>(ReadOnlySpan<T> span, ReadOnlySpan<T> values)
            where T : struct, IEquatable<T> => IndexOfAnyExcept(span, values) >= 0;

        public static bool ContainsAnyInRange<T>(ReadOnlySpan<T> span, T lowInclusive, T highInclusive)
            where T : struct, IBinaryInteger<T> => IndexOfAnyInRange(span, lowInclusive, highInclusive) >= 0;

        public static bool ContainsAnyExceptInRange<T>(ReadOnlySpan<T> span, T lowInclusive, T highInclusive)
            where T : struct, IBinaryInteger<T> => IndexOfAnyExceptInRange(span, lowInclusive, highInclusive) >= 0;

        public static int Count<T>(ReadOnlySpan<T> span, T value)
            where T : struct, IEquatable<T>
        {
            var count = 0;
            for (var i = 0; i < span.Length; i++)
            {
                if (span[i].Equals(value)) count++;
            }
            return count;
        }

        public static int CommonPrefixLength<T>(ReadOnlySpan<T> span, ReadOnlySpan<T> other)
            where T : struct, IEquatable<T>
        {
            var length = Math.Min(span.Length, other.Length);
            for (var i = 0; i < length; i++)
            {
                if (!span[i].Equals(other[i])) return i;
            }
            return length;
        }

        public static int SequenceCompareTo<T>(ReadOnlySpan<T> span, ReadOnlySpan<T> other)
            where T : struct, IComparable<T>
        {
            var length = Math.Min(span.Length, other.Length);
            for (var i = 0; i < length; i++)
            {
                if (span[i].CompareTo(other[i]) is not 0 and var order) return order;
            }
            return typeof(T) == typeof(byte) ? span.Length - other.Length : span.Length.CompareTo(other.Length);
        }

        public static bool StartsWith<T>(ReadOnlySpan<T> span, T value)
            where T : struct, IEquatable<T> => span.Length > 0 && span[0].Equals(value);

        public static bool EndsWith<T>(ReadOnlySpan<T> span, T value)
            where T : struct, IEquatable<T> => span.Length > 0 && span[^1].Equals(value);

        public static ReadOnlySpan<T> TrimStart<T>(ReadOnlySpan<T> span, T trimElement)
            where T : struct, IEquatable<T>
        {
            var start = 0;
            while (start < span.Length && span[start].Equals(trimElement)) start++;
            return span[start..];
        }

        public static ReadOnlySpan<T> TrimEnd<T>(ReadOnlySpan<T> span, T trimElement)
            where T : struct, IEquatable<T>
        {
            var end = span.Length;
            while (end > 0 && span[end - 1].Equals(trimElement)) end--;
            return span[..end];
        }

        public static ReadOnlySpan<T> Trim<T>(ReadOnlySpan<T> span, T trimElement)
            where T : struct, IEquatable<T> => TrimEnd(TrimStart(span, trimElement), trimElement);

        public static void Reverse<T>(Span<T> span)
            where T : struct
        {
            for (var (low, high) = (0, span.Length - 1); low < high; low++, high--)
                (span[low], span[high]) = (span[high], span[low]);
        }

        public static void Replace<T>(Span<T> span, T oldValue, T newValue)
            where T : struct, IEquatable<T>
        {
            for (var i = 0; i < span.Length; i++)
            {
                if (span[i].Equals(oldValue)) span[i] = newValue;
            }
        }

        /// <summary>A range whose end is below its beginning goes around, as it does in .NET.</summary>
        private static bool IsInRange<T>(T value, T low, T high)
            where T : struct, IBinaryInteger<T> =>
            UInt128.CreateTruncating(unchecked(value - low)) <= UInt128.CreateTruncating(unchecked(high - low));
    }
}
