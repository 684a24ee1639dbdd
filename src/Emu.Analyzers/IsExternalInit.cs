namespace System.Runtime.CompilerServices;

/// <summary>The C# compiler asks for this class where a record is declared, and .NET Standard 2.0 has none.</summary>
internal static class IsExternalInit;
